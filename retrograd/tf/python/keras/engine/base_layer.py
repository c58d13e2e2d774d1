"""The names of ``tensorflow.python.keras.engine.base_layer``."""

from retrograd.faces import missing
from retrograd.keras.inner_layers import TensorFlowOpLayer
from retrograd.keras.utils import serialize_keras_object
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.nn.layers.nodes import KerasHistory

__getattr__ = missing(__name__)
