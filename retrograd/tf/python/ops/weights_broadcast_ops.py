"""The names of ``tensorflow.python.ops.weights_broadcast_ops``."""

from retrograd.faces import missing
from retrograd.nn.weights import assert_broadcastable, broadcast_weights

__getattr__ = missing(__name__)
