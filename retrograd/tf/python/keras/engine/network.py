"""The names of ``tensorflow.python.keras.engine.network``."""

from retrograd.faces import missing
from retrograd.keras.network import Network

__getattr__ = missing(__name__)
