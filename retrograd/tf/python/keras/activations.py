"""The names of ``tensorflow.python.keras.activations``."""

from retrograd.faces import missing
from retrograd.keras.utils import deserialize_keras_object, serialize_keras_object
from retrograd.nn.keras.activations import (
    deserialize,
    elu,
    exponential,
    get,
    hard_sigmoid,
    linear,
    relu,
    selu,
    serialize,
    sigmoid,
    softmax,
    softplus,
    softsign,
)
from retrograd.ops.trigonometry import tanh

__getattr__ = missing(__name__)
