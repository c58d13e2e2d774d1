"""The names of ``tensorflow.python.data.util.random_seed``."""

from retrograd.data.random_seeds import get_seed
from retrograd.faces import missing

__getattr__ = missing(__name__)
