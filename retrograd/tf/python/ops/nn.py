"""The names of ``tensorflow.python.ops.nn``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated_args, deprecated_argument_lookup
from retrograd.keras.average_losses import compute_average_loss, scale_regularization_loss
from retrograd.nn.activations import swish, zero_fraction
from retrograd.nn.convolution import (
    Convolution,
    atrous_conv2d,
    conv1d,
    convolution,
    depthwise_conv2d,
    erosion2d,
    separable_conv2d,
    with_space_to_batch,
)
from retrograd.nn.cross_entropy import (
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from retrograd.nn.ctc import (
    collapse_repeated,
    ctc_loss_dense,
    ctc_loss_v2,
    ctc_unique_labels,
    dense_labels_to_sparse,
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
    batch_norm_with_global_normalization,
    batch_normalization,
    moments,
    moments_v2,
    normalize_moments,
    sufficient_statistics,
    weighted_moments,
)
from retrograd.nn.pooling import avg_pool1d, avg_pool_v2, max_pool1d, max_pool_v2, pool
from retrograd.nn.rnn import (
    bidirectional_dynamic_rnn,
    dynamic_rnn,
    raw_rnn,
    static_rnn,
    static_state_saving_rnn,
)
from retrograd.nn.sampling import nce_loss, nce_loss_v2, sampled_softmax_loss, sampled_softmax_loss_v2
from retrograd.nn.second import in_top_k as in_top_k_v2
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
from retrograd.ops.biases import bias_add, bias_add_v1, relu_layer, xw_plus_b, xw_plus_b_v1
from retrograd.ops.candidates import (
    all_candidate_sampler,
    compute_accidental_hits,
    fixed_unigram_candidate_sampler,
    learned_unigram_candidate_sampler,
    log_uniform_candidate_sampler,
    uniform_candidate_sampler,
)
from retrograd.ops.convolution import (
    conv2d,
    conv2d_backprop_filter,
    conv2d_backprop_input,
    conv3d_backprop_filter_v2,
)
from retrograd.ops.convolution import (
    conv3d as conv3d_v1,
)
from retrograd.ops.ctc import ctc_greedy_decoder, ctc_loss
from retrograd.ops.ctc_beams import ctc_beam_search_decoder, ctc_beam_search_decoder_v2
from retrograd.ops.depthwise import (
    depthwise_conv2d_native,
    depthwise_conv2d_native_backprop_filter,
    depthwise_conv2d_native_backprop_input,
)
from retrograd.ops.exponentials import sigmoid
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
from retrograd.ops.normalization import (
    fused_batch_norm,
    local_response_normalization,
)
from retrograd.ops.normalization import (
    local_response_normalization as lrn,
)
from retrograd.ops.norms import l2_normalize, normalize
from retrograd.ops.pooling import avg_pool, avg_pool3d
from retrograd.ops.quantized import quantized_avg_pool, quantized_conv2d, quantized_max_pool
from retrograd.ops.ranking import in_top_k, nth_element, top_k
from retrograd.ops.softmax import (
    log_softmax,
    softmax,
    softmax_cross_entropy_with_logits,
)
from retrograd.ops.softmax import (
    softmax_cross_entropy_with_logits_v2 as softmax_cross_entropy_with_logits_v2_helper,
)
from retrograd.ops.trigonometry import tanh

__getattr__ = missing(__name__, raw=True)
