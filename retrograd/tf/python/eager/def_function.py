"""The names of ``tensorflow.python.eager.def_function``."""

from retrograd.faces import missing
from retrograd.state.inlining import Function, function

__getattr__ = missing(__name__)
