"""The names of ``tensorflow.python.ops.unconnected_gradients``."""

from retrograd.faces import missing
from retrograd.grad.gradients import UnconnectedGradients

__getattr__ = missing(__name__)
