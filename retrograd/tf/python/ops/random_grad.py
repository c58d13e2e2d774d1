"""The names of ``tensorflow.python.ops.random_grad``."""

from retrograd.faces import missing
from retrograd.ops.variates import add_leading_unit_dimensions

__getattr__ = missing(__name__)
