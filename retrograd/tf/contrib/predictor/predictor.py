"""The names of ``tensorflow.contrib.predictor.predictor``."""

from retrograd.faces import missing
from retrograd.io.saved_model.loader import Predictor

__getattr__ = missing(__name__)
