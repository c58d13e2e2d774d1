"""The names of ``tensorflow.nn``."""

from retrograd.faces import missing
from retrograd.nn.activations import swish, zero_fraction
from retrograd.nn.cross_entropy import (
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from retrograd.nn.dropout import dropout
from retrograd.nn.embeddings import embedding_lookup, embedding_lookup_sparse, safe_embedding_lookup_sparse
from retrograd.nn.moments import (
    batch_normalization,
    moments,
    normalize_moments,
    sufficient_statistics,
    weighted_moments,
)
from retrograd.ops.activations import crelu, elu, l2_loss, leaky_relu, relu, relu6, selu, softplus, softsign
from retrograd.ops.biases import bias_add, relu_layer, xw_plus_b
from retrograd.ops.blocks import depth_to_space, space_to_batch, space_to_depth
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.norms import l2_normalize
from retrograd.ops.ranking import in_top_k, top_k
from retrograd.ops.softmax import (
    log_softmax,
    softmax,
    softmax_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
)
from retrograd.ops.trigonometry import tanh

__getattr__ = missing(__name__)
