"""The names of ``tensorflow.contrib.learn.python.learn.utils``."""

from retrograd.estimator.older.exporting import make_export_strategy
from retrograd.faces import missing

__getattr__ = missing(__name__)
