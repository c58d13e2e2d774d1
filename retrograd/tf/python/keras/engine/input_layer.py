"""The names of ``tensorflow.python.keras.engine.input_layer``."""

from retrograd.faces import missing
from retrograd.keras.inputs import Input, InputLayer

__getattr__ = missing(__name__)
