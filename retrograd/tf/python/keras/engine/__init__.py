"""The names of ``tensorflow.python.keras.engine``."""

from retrograd.faces import missing
from retrograd.keras.inputs import Input, InputLayer
from retrograd.keras.model_utils import get_source_inputs
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
