"""The names of ``tensorflow.python.ops.nn_ops``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated_args, deprecated_argument_lookup
from retrograd.nn.convolution import (
    Convolution,
    atrous_conv2d,
    conv1d,
    convolution,
    erosion2d,
    with_space_to_batch,
)
from retrograd.nn.cross_entropy import sparse_softmax_cross_entropy_with_logits
from retrograd.nn.dropout import dropout, dropout_v2
from retrograd.nn.pooling import avg_pool1d, avg_pool_v2, max_pool1d, max_pool_v2, pool
from retrograd.nn.second import (
    sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits_v2,
)
from retrograd.nn.transposed import (
    atrous_conv2d_transpose,
    conv1d_transpose,
    conv2d_transpose,
    conv2d_transpose_v2,
    conv3d_transpose,
    conv3d_transpose_v2,
    conv_transpose,
)
from retrograd.ops.activations import crelu, elu, l2_loss, leaky_relu, relu, relu6, selu, softplus, softsign
from retrograd.ops.biases import bias_add, bias_add_v1, xw_plus_b, xw_plus_b_v1
from retrograd.ops.convolution import (
    conv2d,
    conv2d_backprop_filter,
    conv2d_backprop_input,
    conv3d_backprop_filter_v2,
)
from retrograd.ops.convolution import (
    conv3d as conv3d_v1,
)
from retrograd.ops.depthwise import (
    depthwise_conv2d_native,
    depthwise_conv2d_native_backprop_filter,
    depthwise_conv2d_native_backprop_input,
)
from retrograd.ops.fractional_pooling import (
    fractional_avg_pool,
    fractional_avg_pool_v2,
    fractional_max_pool,
    fractional_max_pool_v2,
)
from retrograd.ops.layouts import data_format_dim_map, data_format_vec_permute
from retrograd.ops.max_pooling import (
    max_pool,
    max_pool2d,
    max_pool3d,
)
from retrograd.ops.max_pooling import (
    max_pool_with_argmax as max_pool_with_argmax_v1,
)
from retrograd.ops.morphology import dilation2d as dilation2d_v1
from retrograd.ops.normalization import local_response_normalization
from retrograd.ops.normalization import local_response_normalization as lrn
from retrograd.ops.pooling import avg_pool, avg_pool2d, avg_pool3d
from retrograd.ops.quantized import quantized_avg_pool, quantized_conv2d, quantized_max_pool
from retrograd.ops.ranking import in_top_k, nth_element, top_k
from retrograd.ops.softmax import (
    log_softmax,
    softmax,
    softmax_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
)
from retrograd.ops.softmax import (
    log_softmax as log_softmax_v2,
)
from retrograd.ops.softmax import (
    softmax as softmax_v2,
)
from retrograd.ops.softmax import (
    softmax_cross_entropy_with_logits_v2 as softmax_cross_entropy_with_logits_v2_helper,
)

__getattr__ = missing(__name__, raw=True)
