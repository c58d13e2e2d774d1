"""The names of ``tensorflow.python.keras.activations``."""

from retrograd.faces import missing
from retrograd.nn.keras.activations import (
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

__getattr__ = missing(__name__)
