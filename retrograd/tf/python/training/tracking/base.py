"""The names of ``tensorflow.python.training.tracking.base``."""

from retrograd.faces import missing
from retrograd.io.tracking import VARIABLE_VALUE_KEY, Trackable

__getattr__ = missing(__name__)
