"""The names of ``tensorflow.contrib.predictor.predictor_factories``."""

from retrograd.estimator.predicting import from_contrib_estimator, from_estimator
from retrograd.faces import missing
from retrograd.io.saved_model.loader import from_saved_model

__getattr__ = missing(__name__)
