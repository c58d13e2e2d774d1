"""The names of ``tensorflow.python.keras.engine.node``."""

from retrograd.faces import missing
from retrograd.nn.layers.nodes import Node

__getattr__ = missing(__name__)
