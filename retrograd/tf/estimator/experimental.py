"""The names of ``tensorflow.estimator.experimental``."""

from retrograd.estimator.canned.coordinate_ascent import LinearSDCA
from retrograd.estimator.canned.dnn import dnn_logit_fn_builder
from retrograd.estimator.canned.kmeans import KMeans
from retrograd.estimator.canned.linear import linear_logit_fn_builder
from retrograd.estimator.hooks import (
    InMemoryEvaluatorHook,
    make_early_stopping_hook,
    make_stop_at_checkpoint_step_hook,
    stop_if_higher_hook,
    stop_if_lower_hook,
    stop_if_no_decrease_hook,
    stop_if_no_increase_hook,
)
from retrograd.estimator.receivers import build_raw_supervised_input_receiver_fn
from retrograd.estimator.specs import call_logit_fn
from retrograd.faces import missing

__getattr__ = missing(__name__)
