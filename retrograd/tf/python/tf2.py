"""The names of ``tensorflow.python.tf2``."""

from retrograd.eager.context import enabled
from retrograd.faces import missing

__getattr__ = missing(__name__)
