"""The names of ``tensorflow.python.training.checkpoint_utils``."""

from retrograd.faces import missing
from retrograd.io.checkpoint_values import (
    checkpoints_iterator,
    init_from_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
    wait_for_new_checkpoint,
)

__getattr__ = missing(__name__)
