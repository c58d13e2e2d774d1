"""The names of ``tensorflow.contrib.layers.python.layers``."""

from retrograd.contrib.optimizing import (
    OPTIMIZER_CLS_NAMES,
    OPTIMIZER_SUMMARIES,
    adaptive_clipping_fn,
    optimize_loss,
)
from retrograd.contrib.summarizing import (
    summarize_activation,
    summarize_activations,
    summarize_biases,
    summarize_collection,
    summarize_tensor,
    summarize_tensors,
    summarize_variables,
    summarize_weights,
)
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
from retrograd.nn.contrib.normalization import batch_norm, layer_norm, unit_norm
from retrograd.nn.contrib.older_layers import (
    GDN,
    dense_to_sparse,
    gdn,
    images_to_sequence,
    legacy_fully_connected,
    legacy_linear,
    legacy_relu,
    pool,
    scale_gradient,
    sequence_to_images,
)
from retrograd.nn.contrib.reversible import RevBlock, rev_block

__getattr__ = missing(__name__)
