"""The names of ``tensorflow.contrib.learn.python.learn.estimators.prediction_key``."""

from retrograd.estimator.older.keys import PredictionKey
from retrograd.faces import missing

__getattr__ = missing(__name__)
