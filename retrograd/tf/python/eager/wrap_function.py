"""The names of ``tensorflow.python.eager.wrap_function``."""

from retrograd.faces import missing
from retrograd.state.wrapping import WrappedFunction, wrap_function

__getattr__ = missing(__name__)
