"""The names of ``tensorflow.contrib.learn.python.learn.monitors``."""

from retrograd.estimator.older.monitors import ValidationMonitor
from retrograd.faces import missing

__getattr__ = missing(__name__)
