"""The names of ``tensorflow.contrib.nn``."""

from retrograd.faces import missing
from retrograd.nn.contrib.functions import (
    alpha_dropout,
    deprecated_flipped_sigmoid_cross_entropy_with_logits,
    deprecated_flipped_softmax_cross_entropy_with_logits,
    deprecated_flipped_sparse_softmax_cross_entropy_with_logits,
    rank_sampled_softmax_loss,
    sampled_sparse_softmax_loss,
    scaled_softplus,
)
from retrograd.nn.transposed import conv1d_transpose
from retrograd.ops.ranking import nth_element

__getattr__ = missing(__name__)
