"""The names of ``tensorflow.python.keras.engine.training``."""

from retrograd.faces import missing
from retrograd.nn.layers.model import Model

__getattr__ = missing(__name__)
