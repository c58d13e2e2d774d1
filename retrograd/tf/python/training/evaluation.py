"""The names of ``tensorflow.python.training.evaluation``."""

from retrograd.contrib.evaluating import (
    StopAfterNEvalsHook as _StopAfterNEvalsHook,
)
from retrograd.contrib.evaluating import (
    evaluate_once as _evaluate_once,
)
from retrograd.contrib.evaluating import (
    get_or_create_eval_step as _get_or_create_eval_step,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
