"""The names of ``tensorflow.contrib.learn.python.learn.learn_runner``."""

from retrograd.estimator.older.experiments import run
from retrograd.faces import missing

__getattr__ = missing(__name__)
