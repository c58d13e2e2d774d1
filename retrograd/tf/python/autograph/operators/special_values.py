"""The names of ``tensorflow.python.autograph.operators.special_values``."""

from retrograd.autograph.operators import Undefined, UndefinedReturnValue
from retrograd.faces import missing

__getattr__ = missing(__name__)
