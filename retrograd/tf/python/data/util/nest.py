"""The names of ``tensorflow.python.data.util.nest``."""

from retrograd.data.nest import *
from retrograd.faces import missing

__getattr__ = missing(__name__)
