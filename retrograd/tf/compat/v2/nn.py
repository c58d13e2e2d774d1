"""The names of ``tensorflow.compat.v2.nn``."""

from retrograd.faces import missing
from retrograd.keras.average_losses import compute_average_loss, scale_regularization_loss
from retrograd.keras.layers.cell_wrappers import (
    DeviceWrapper as RNNCellDeviceWrapper,
)
from retrograd.keras.layers.cell_wrappers import (
    DropoutWrapper as RNNCellDropoutWrapper,
)
from retrograd.keras.layers.cell_wrappers import (
    ResidualWrapper as RNNCellResidualWrapper,
)
from retrograd.nn.activations import swish, zero_fraction
from retrograd.nn.convolution import atrous_conv2d, with_space_to_batch
from retrograd.nn.cross_entropy import log_poisson_loss
from retrograd.nn.ctc import collapse_repeated, ctc_unique_labels
from retrograd.nn.ctc import ctc_loss_v2 as ctc_loss
from retrograd.nn.dropout import dropout_v2 as dropout
from retrograd.nn.embeddings import (
    embedding_lookup_sparse_v2 as embedding_lookup_sparse,
)
from retrograd.nn.embeddings import (
    embedding_lookup_v2 as embedding_lookup,
)
from retrograd.nn.embeddings import (
    safe_embedding_lookup_sparse_v2 as safe_embedding_lookup_sparse,
)
from retrograd.nn.moments import batch_normalization, normalize_moments
from retrograd.nn.moments import moments_v2 as moments
from retrograd.nn.pooling import avg_pool1d, max_pool1d
from retrograd.nn.pooling import avg_pool_v2 as avg_pool
from retrograd.nn.pooling import max_pool_v2 as max_pool
from retrograd.nn.sampling import nce_loss_v2 as nce_loss
from retrograd.nn.sampling import sampled_softmax_loss_v2 as sampled_softmax_loss
from retrograd.nn.second import (
    in_top_k,
    l2_normalize,
    log_softmax,
    sigmoid_cross_entropy_with_logits,
    softmax,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from retrograd.nn.second_networks import (
    avg_pool2d,
    batch_norm_with_global_normalization,
    conv1d,
    conv2d,
    conv3d,
    convolution,
    crelu,
    depth_to_space,
    depthwise_conv2d,
    dilation2d,
    erosion2d,
    max_pool_with_argmax,
    pool,
    separable_conv2d,
    space_to_batch,
    space_to_depth,
    sufficient_statistics,
    weighted_cross_entropy_with_logits,
    weighted_moments,
)
from retrograd.nn.transposed import (
    atrous_conv2d_transpose,
    conv1d_transpose,
    conv_transpose,
)
from retrograd.nn.transposed import (
    conv2d_transpose_v2 as conv2d_transpose,
)
from retrograd.nn.transposed import (
    conv3d_transpose_v2 as conv3d_transpose,
)
from retrograd.ops.activations import elu, l2_loss, leaky_relu, relu, relu6, selu, softplus, softsign
from retrograd.ops.biases import bias_add
from retrograd.ops.candidates import (
    all_candidate_sampler,
    compute_accidental_hits,
    fixed_unigram_candidate_sampler,
    learned_unigram_candidate_sampler,
)
from retrograd.ops.ctc import ctc_greedy_decoder
from retrograd.ops.ctc_beams import ctc_beam_search_decoder_v2 as ctc_beam_search_decoder
from retrograd.ops.depthwise import (
    depthwise_conv2d_native_backprop_filter as depthwise_conv2d_backprop_filter,
)
from retrograd.ops.depthwise import (
    depthwise_conv2d_native_backprop_input as depthwise_conv2d_backprop_input,
)
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.fractional_pooling import (
    fractional_avg_pool_v2 as fractional_avg_pool,
)
from retrograd.ops.fractional_pooling import (
    fractional_max_pool_v2 as fractional_max_pool,
)
from retrograd.ops.max_pooling import max_pool2d, max_pool3d
from retrograd.ops.normalization import local_response_normalization
from retrograd.ops.normalization import local_response_normalization as lrn
from retrograd.ops.pooling import avg_pool3d
from retrograd.ops.ranking import top_k
from retrograd.ops.trigonometry import tanh

__getattr__ = missing(__name__)
