"""The names of ``tensorflow.contrib.learn.python.learn.learn_runner``."""

from retrograd.estimator.older.runners import run
from retrograd.faces import missing

__getattr__ = missing(__name__)
