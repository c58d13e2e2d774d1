"""The names of ``tensorflow.python.estimator.early_stopping``."""

from retrograd.estimator.hooks import (
    make_early_stopping_hook,
    read_eval_metrics,
    stop_if_higher_hook,
    stop_if_lower_hook,
    stop_if_no_decrease_hook,
    stop_if_no_increase_hook,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
