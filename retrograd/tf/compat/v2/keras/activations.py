"""The names of ``tensorflow.compat.v2.keras.activations``."""

from retrograd.faces import missing
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
