"""The names of ``tensorflow.contrib.layers.python.layers.layers``."""

from retrograd.faces import missing
from retrograd.nn.contrib.convolution import (
    conv1d,
    conv2d,
    conv2d_transpose,
    convolution,
    convolution1d,
    convolution2d,
    convolution2d_transpose,
    separable_conv2d,
    separable_convolution2d,
)
from retrograd.nn.contrib.layers import (
    avg_pool2d,
    bias_add,
    dropout,
    elu,
    embed_sequence,
    embedding_lookup_unique,
    flatten,
    fully_connected,
    linear,
    max_pool2d,
    one_hot_encoding,
    relu,
    relu6,
    repeat,
    stack,
)
from retrograd.nn.contrib.more_layers import (
    avg_pool3d,
    conv2d_in_plane,
    conv3d,
    conv3d_transpose,
    convolution2d_in_plane,
    convolution3d,
    convolution3d_transpose,
    group_norm,
    instance_norm,
    max_pool3d,
    maxout,
    softmax,
    spatial_softmax,
)
from retrograd.nn.contrib.normalization import batch_norm, layer_norm, unit_norm
from retrograd.nn.contrib.older_layers import (
    GDN,
    _inner_flatten,
    dense_to_sparse,
    gdn,
    images_to_sequence,
    legacy_fully_connected,
    legacy_linear,
    legacy_relu,
    poincare_normalize,
    pool,
    scale_gradient,
    sequence_to_images,
)

__getattr__ = missing(__name__)
