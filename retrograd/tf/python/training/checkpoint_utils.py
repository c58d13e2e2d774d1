"""The names of ``tensorflow.python.training.checkpoint_utils``."""

from retrograd.faces import missing
from retrograd.io.checkpoint_values import (
    init_from_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
)

__getattr__ = missing(__name__)
