"""The names of ``tensorflow.compat.v2.keras.activations``."""

from retrograd.faces import missing
from retrograd.nn.keras.activations import (
    deserialize,
    elu,
    exponential,
    get,
    hard_sigmoid,
    relu,
    selu,
    serialize,
    sigmoid,
    softmax,
    softplus,
    softsign,
)
from retrograd.nn.recurrent.linear import linear
from retrograd.ops.trigonometry import tanh

__getattr__ = missing(__name__)
