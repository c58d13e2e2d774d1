"""The names of ``tensorflow.contrib.slim.evaluation``."""

from retrograd.contrib.evaluating import (
    checkpoints_iterator,
    evaluation_loop,
    wait_for_new_checkpoint,
)
from retrograd.contrib.evaluating import (
    evaluate_once_slim as evaluate_once,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
