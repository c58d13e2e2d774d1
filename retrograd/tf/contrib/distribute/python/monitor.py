"""The names of ``tensorflow.contrib.distribute.python.monitor``."""

from retrograd.distribute.steps import Monitor
from retrograd.faces import missing

__getattr__ = missing(__name__)
