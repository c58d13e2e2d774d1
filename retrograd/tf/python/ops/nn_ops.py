"""The names of ``tensorflow.python.ops.nn_ops``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated_args, deprecated_argument_lookup
from retrograd.nn.cross_entropy import sparse_softmax_cross_entropy_with_logits
from retrograd.nn.dropout import dropout, dropout_v2
from retrograd.ops.activations import crelu, elu, l2_loss, leaky_relu, relu, relu6, selu, softplus, softsign
from retrograd.ops.biases import bias_add, bias_add_v1, xw_plus_b, xw_plus_b_v1
from retrograd.ops.ranking import TopKV2, in_top_k, nth_element, top_k
from retrograd.ops.softmax import (
    log_softmax,
    softmax,
    softmax_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
)
from retrograd.ops.softmax import (
    softmax_cross_entropy_with_logits_v2 as softmax_cross_entropy_with_logits_v2_helper,
)

__getattr__ = missing(__name__, raw=True)
