"""The names of ``tensorflow.python.estimator.model_fn``."""

from retrograd.estimator.specs import (
    LOSS_METRIC_KEY,
    EstimatorSpec,
    ModeKeys,
    call_logit_fn,
    verify_model_fn_args,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
