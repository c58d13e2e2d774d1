"""The names of ``tensorflow.python.ops.gradient_checker_v2``."""

from retrograd.derivatives.functions import theoretical_and_numerical as compute_gradient
from retrograd.faces import missing
from retrograd.grad.checker import _to_numpy, max_error

__getattr__ = missing(__name__)
