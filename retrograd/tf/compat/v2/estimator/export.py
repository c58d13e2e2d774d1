"""The names of ``tensorflow.compat.v2.estimator.export``."""

from retrograd.estimator.export_outputs import (
    ClassificationOutput,
    ExportOutput,
    PredictOutput,
    RegressionOutput,
)
from retrograd.estimator.receivers import (
    ServingInputReceiver,
    TensorServingInputReceiver,
    build_parsing_serving_input_receiver_fn,
    build_raw_serving_input_receiver_fn,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
