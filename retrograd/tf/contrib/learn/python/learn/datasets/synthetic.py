"""The names of ``tensorflow.contrib.learn.python.learn.datasets.synthetic``."""

from retrograd.faces import missing
from retrograd.io.small_sets import circles, spirals

__getattr__ = missing(__name__)
