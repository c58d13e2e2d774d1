"""The names of ``tensorflow.python.keras.engine.input_spec``."""

from retrograd.faces import missing
from retrograd.nn.layers.input_spec import InputSpec, assert_input_compatibility, to_tensor_shape

__getattr__ = missing(__name__)
