"""The names of ``tensorflow.contrib.learn.python.learn.trainable``."""

from retrograd.estimator.older.bases import Trainable
from retrograd.faces import missing

__getattr__ = missing(__name__)
