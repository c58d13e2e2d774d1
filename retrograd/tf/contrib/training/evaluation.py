"""The names of ``tensorflow.contrib.training.evaluation``."""

from retrograd.contrib.evaluating import (
    StopAfterNEvalsHook,
    SummaryAtEndHook,
    checkpoints_iterator,
    evaluate_once,
    evaluate_repeatedly,
    get_or_create_eval_step,
    wait_for_new_checkpoint,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
