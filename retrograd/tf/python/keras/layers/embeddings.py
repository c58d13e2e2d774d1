"""The names of ``tensorflow.python.keras.layers.embeddings``."""

from retrograd.faces import missing
from retrograd.keras.layers.normalizing import Embedding
from retrograd.nn.layers.engine import Layer

__getattr__ = missing(__name__)
