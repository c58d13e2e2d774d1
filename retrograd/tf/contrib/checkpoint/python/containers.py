"""The names of ``tensorflow.contrib.checkpoint.python.containers``."""

from retrograd.contrib.checkpoint_objects import UniqueNameTracker
from retrograd.faces import missing

__getattr__ = missing(__name__)
