"""The names of ``tensorflow.keras.models``."""

from retrograd.faces import missing
from retrograd.nn.layers.model import Model

__getattr__ = missing(__name__)
