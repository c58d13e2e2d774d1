"""The names of ``tensorflow.python.data.experimental.ops.get_single_element``."""

from retrograd.data.experimental import get_single_element
from retrograd.faces import missing

__getattr__ = missing(__name__)
