"""The names of ``tensorflow.python.ops.gen_nn_ops``."""

from retrograd.faces import missing
from retrograd.ops.activations import elu, l2_loss, relu, selu, softplus, softsign
from retrograd.ops.biases import bias_add_v1
from retrograd.ops.convolution import conv3d_backprop_filter_v2
from retrograd.ops.depthwise import (
    depthwise_conv2d_native,
    depthwise_conv2d_native_backprop_filter,
    depthwise_conv2d_native_backprop_input,
)
from retrograd.ops.layouts import data_format_dim_map, data_format_vec_permute
from retrograd.ops.normalization import local_response_normalization as lrn
from retrograd.ops.quantized import quantized_avg_pool, quantized_conv2d, quantized_max_pool
from retrograd.ops.ranking import nth_element

__getattr__ = missing(__name__, raw=True)
