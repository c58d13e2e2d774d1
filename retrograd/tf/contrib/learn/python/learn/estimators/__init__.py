"""The names of ``tensorflow.contrib.learn.python.learn.estimators``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
