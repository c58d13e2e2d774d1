"""The names of ``tensorflow.contrib.learn.python.learn.evaluable``."""

from retrograd.estimator.older.bases import Evaluable
from retrograd.faces import missing

__getattr__ = missing(__name__)
