"""The names of ``tensorflow.python.ops.gradients_impl``."""

from retrograd.faces import missing
from retrograd.grad.gradients import UnconnectedGradients, gradients

__getattr__ = missing(__name__)
