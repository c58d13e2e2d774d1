"""The names of ``tensorflow.python.eager.backprop``."""

from retrograd.derivatives.tape import GradientTape
from retrograd.faces import missing
from retrograd.grad.gradients import UnconnectedGradients

__getattr__ = missing(__name__)
