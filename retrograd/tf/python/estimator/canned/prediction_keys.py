"""The names of ``tensorflow.python.estimator.canned.prediction_keys``."""

from retrograd.estimator.canned.keys import PredictionKeys
from retrograd.faces import missing

__getattr__ = missing(__name__)
