"""The names of ``tensorflow.python.ops.nn``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated_args, deprecated_argument_lookup
from retrograd.nn.activations import swish, zero_fraction
from retrograd.nn.cross_entropy import (
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from retrograd.nn.dropout import dropout, dropout_v2
from retrograd.nn.embeddings import (
    embedding_lookup,
    embedding_lookup_sparse,
    embedding_lookup_sparse_v2,
    embedding_lookup_v2,
    safe_embedding_lookup_sparse,
    safe_embedding_lookup_sparse_v2,
)
from retrograd.nn.moments import (
    batch_normalization,
    moments,
    normalize_moments,
    sufficient_statistics,
    weighted_moments,
)
from retrograd.ops.activations import crelu, elu, l2_loss, leaky_relu, relu, relu6, selu, softplus, softsign
from retrograd.ops.biases import bias_add, bias_add_v1, relu_layer, xw_plus_b, xw_plus_b_v1
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.norms import l2_normalize, normalize
from retrograd.ops.ranking import TopKV2, in_top_k, nth_element, top_k
from retrograd.ops.softmax import (
    log_softmax,
    softmax,
    softmax_cross_entropy_with_logits,
)
from retrograd.ops.softmax import (
    softmax_cross_entropy_with_logits_v2 as softmax_cross_entropy_with_logits_v2_helper,
)
from retrograd.ops.trigonometry import tanh

__getattr__ = missing(__name__)
