"""The names of ``tensorflow.contrib.estimator.python.estimator.rnn``."""

from retrograd.estimator.canned.recurrent import RNNClassifier, RNNEstimator
from retrograd.faces import missing

__getattr__ = missing(__name__)
