"""The names of ``tensorflow.python.eager.lift_to_graph``."""

from retrograd.faces import missing
from retrograd.state.lifting import UnliftableError

__getattr__ = missing(__name__)
