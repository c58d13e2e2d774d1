"""The names of ``tensorflow.contrib.predictor.core_estimator_predictor``."""

from retrograd.estimator.predicting import CoreEstimatorPredictor
from retrograd.faces import missing

__getattr__ = missing(__name__)
