"""The names of ``tensorflow.layers.experimental``."""

from retrograd.faces import missing
from retrograd.nn.layers.base import keras_style_scope, set_keras_style

__getattr__ = missing(__name__)
