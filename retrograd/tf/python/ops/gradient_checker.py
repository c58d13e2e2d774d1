"""The names of ``tensorflow.python.ops.gradient_checker``."""

from retrograd.faces import missing
from retrograd.grad.checker import compute_gradient, compute_gradient_error

__getattr__ = missing(__name__)
