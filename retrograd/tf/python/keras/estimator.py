"""The names of ``tensorflow.python.keras.estimator``."""

from retrograd.estimator.keras_models import model_to_estimator
from retrograd.faces import missing

__getattr__ = missing(__name__)
