"""The names of ``tensorflow.contrib.learn.python.learn.experiment``."""

from retrograd.estimator.older.experiments import Experiment
from retrograd.faces import missing

__getattr__ = missing(__name__)
