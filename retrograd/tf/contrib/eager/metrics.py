"""The names of ``tensorflow.contrib.eager.metrics``."""

from retrograd.contrib.eager_metrics import (
    Accuracy,
    BinaryAccuracy,
    CategoricalAccuracy,
    Mean,
    Metric,
    SparseAccuracy,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
