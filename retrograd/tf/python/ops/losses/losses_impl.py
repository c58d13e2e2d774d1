"""The names of ``tensorflow.python.ops.losses.losses_impl``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated_args, deprecated_argument_lookup
from retrograd.nn.losses import (
    Reduction,
    absolute_difference,
    compute_weighted_loss,
    cosine_distance,
    hinge_loss,
    huber_loss,
    log_loss,
    mean_pairwise_squared_error,
    mean_squared_error,
    sigmoid_cross_entropy,
    softmax_cross_entropy,
    sparse_softmax_cross_entropy,
)

__getattr__ = missing(__name__)
