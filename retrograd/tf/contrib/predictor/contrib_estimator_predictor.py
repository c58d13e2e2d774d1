"""The names of ``tensorflow.contrib.predictor.contrib_estimator_predictor``."""

from retrograd.estimator.predicting import ContribEstimatorPredictor
from retrograd.faces import missing

__getattr__ = missing(__name__)
