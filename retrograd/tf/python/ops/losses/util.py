"""The names of ``tensorflow.python.ops.losses.util``."""

from retrograd.faces import missing
from retrograd.nn.losses import (
    add_loss,
    get_losses,
    get_regularization_loss,
    get_regularization_losses,
    get_total_loss,
)

__getattr__ = missing(__name__)
