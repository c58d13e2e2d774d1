"""The names of ``tensorflow.python.keras.layers.merge``."""

from retrograd.faces import missing
from retrograd.keras.layers.merging import (
    Add,
    Average,
    Concatenate,
    Dot,
    Maximum,
    Minimum,
    Multiply,
    Subtract,
    add,
    average,
    concatenate,
    dot,
    maximum,
    minimum,
    multiply,
    subtract,
)
from retrograd.nn.layers.engine import Layer

__getattr__ = missing(__name__)
