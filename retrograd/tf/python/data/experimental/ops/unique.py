"""The names of ``tensorflow.python.data.experimental.ops.unique``."""

from retrograd.data.experimental import unique
from retrograd.faces import missing

__getattr__ = missing(__name__)
