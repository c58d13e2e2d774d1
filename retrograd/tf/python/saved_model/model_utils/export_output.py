"""The names of ``tensorflow.python.saved_model.model_utils.export_output``."""

from retrograd.estimator.export_outputs import (
    ClassificationOutput,
    EvalOutput,
    ExportOutput,
    PredictOutput,
    RegressionOutput,
    TrainOutput,
    _SupervisedOutput,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
