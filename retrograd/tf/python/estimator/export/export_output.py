"""The names of ``tensorflow.python.estimator.export.export_output``."""

from retrograd.estimator.export_outputs import (
    ClassificationOutput,
    ExportOutput,
    PredictOutput,
    RegressionOutput,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
