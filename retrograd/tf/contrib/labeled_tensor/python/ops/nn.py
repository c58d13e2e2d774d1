"""The names of ``tensorflow.contrib.labeled_tensor.python.ops.nn``."""

from retrograd.contrib.labeled_math import (
    crelu,
    elu,
    l2_loss,
    log_softmax,
    relu,
    relu6,
    sigmoid_cross_entropy_with_logits,
    softmax,
    softmax_cross_entropy_with_logits,
    softplus,
    sparse_softmax_cross_entropy_with_logits,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
