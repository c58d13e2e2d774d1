"""The names of ``tensorflow.python.keras.engine.training``."""

from retrograd.faces import missing
from retrograd.keras.models import Model

__getattr__ = missing(__name__)
