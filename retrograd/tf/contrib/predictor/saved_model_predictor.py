"""The names of ``tensorflow.contrib.predictor.saved_model_predictor``."""

from retrograd.faces import missing
from retrograd.io.saved_model.loader import SavedModelPredictor

__getattr__ = missing(__name__)
