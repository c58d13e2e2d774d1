"""The names of ``tensorflow.contrib.checkpoint.python.split_dependency``."""

from retrograd.faces import missing
from retrograd.io.object_views import split_dependency

__getattr__ = missing(__name__)
