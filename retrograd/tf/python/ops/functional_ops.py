"""The names of ``tensorflow.python.ops.functional_ops``."""

from retrograd.faces import missing
from retrograd.grad.functions import Gradient, symbolic_gradient
from retrograd.nn.functional import foldl, foldr, scan

__getattr__ = missing(__name__)
