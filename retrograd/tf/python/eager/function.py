"""The names of ``tensorflow.python.eager.function``."""

from retrograd.faces import missing
from retrograd.state.inlining import ConcreteFunction, Function, defun

__getattr__ = missing(__name__)
