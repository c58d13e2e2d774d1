"""The names of ``tensorflow.contrib.learn.python.learn.estimators.model_fn``."""

from retrograd.estimator.older.specs import ModelFnOps
from retrograd.faces import missing
from retrograd.io.vocabularies import ModeKeys

__getattr__ = missing(__name__)
