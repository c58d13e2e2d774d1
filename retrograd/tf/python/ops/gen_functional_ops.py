"""The names of ``tensorflow.python.ops.gen_functional_ops``."""

from retrograd.faces import missing
from retrograd.grad.functions import symbolic_gradient
from retrograd.state import function_calls

__getattr__ = missing(__name__, raw=True)
