"""The names of ``tensorflow.contrib.estimator.python.estimator.saved_model_estimator``."""

from retrograd.estimator.from_saved_model import SavedModelEstimator
from retrograd.faces import missing

__getattr__ = missing(__name__)
