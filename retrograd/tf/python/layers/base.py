"""The names of ``tensorflow.python.layers.base``."""

from retrograd.faces import missing
from retrograd.nn.layers.base import Layer, keras_style_scope, set_keras_style
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
