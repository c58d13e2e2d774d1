"""The names of ``tensorflow.python.ops.nn_impl``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated_args, deprecated_argument_lookup
from retrograd.ops.biases import relu_layer
from retrograd.ops.norms import l2_normalize, normalize

__getattr__ = missing(__name__)
