"""The names of ``tensorflow.contrib.layers``."""

from retrograd.contrib.optimizing import OPTIMIZER_CLS_NAMES, OPTIMIZER_SUMMARIES, optimize_loss
from retrograd.contrib.summarizing import (
    summarize_activation,
    summarize_activations,
    summarize_collection,
    summarize_tensor,
    summarize_tensors,
)
from retrograd.estimator.older.target_columns import multi_class_target, regression_target
from retrograd.faces import missing
from retrograd.feature_column.older_columns import (
    create_feature_spec_for_parsing,
    make_place_holder_tensors_for_base_features,
    one_hot_column,
    sparse_column_with_hash_bucket,
    sparse_column_with_integerized_feature,
    sparse_column_with_keys,
    sparse_column_with_vocabulary_file,
    weighted_sparse_column,
)
from retrograd.feature_column.older_embeddings import (
    embedding_column,
    scattered_embedding_column,
    shared_embedding_columns,
)
from retrograd.feature_column.older_models import (
    check_feature_columns,
    infer_real_valued_columns,
    input_from_feature_columns,
    joint_weighted_sum_from_feature_columns,
    parse_feature_columns_from_examples,
    parse_feature_columns_from_sequence_examples,
    sequence_input_from_feature_columns,
    transform_features,
    weighted_sum_from_feature_columns,
)
from retrograd.feature_column.older_numbers import bucketized_column, crossed_column, real_valued_column
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
    bow_encoder,
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
    dense_to_sparse,
    gdn,
    images_to_sequence,
    legacy_fully_connected,
    legacy_linear,
    legacy_relu,
    safe_embedding_lookup_sparse,
    scale_gradient,
    sequence_to_images,
)
from retrograd.nn.contrib.reversible import RevBlock, rev_block
from retrograd.ops.sparse_crossing import _DEFAULT_HASH_KEY as SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY
from retrograd.state.custom_gradient import recomputed_layer as recompute_grad
from retrograd.state.regularizers import (
    apply_regularization,
    l1_l2_regularizer,
    l1_regularizer,
    l2_regularizer,
    sum_regularizer,
)
from retrograd.state.xavier import (
    scaling_initializer as variance_scaling_initializer,
)
from retrograd.state.xavier import (
    xavier_initializer,
)
from retrograd.state.xavier import (
    xavier_initializer as xavier_initializer_conv2d,
)

__getattr__ = missing(__name__)
