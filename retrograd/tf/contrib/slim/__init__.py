"""The names of ``tensorflow.contrib.slim``."""

import __future__

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
from retrograd.estimator.older.target_columns import (
    ProblemType,
    binary_svm_target,
    get_default_binary_metrics_for_eval,
    multi_class_target,
    regression_target,
)
from retrograd.faces import missing
from retrograd.feature_column.models import InputLayer
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
from retrograd.feature_column.scattered import scattered_embedding_lookup, scattered_embedding_lookup_sparse
from retrograd.graph.deprecation import deprecated, deprecated_arg_values, experimental
from retrograd.graph.module_names import make_all
from retrograd.io.assigning import (
    assign_from_checkpoint,
    assign_from_checkpoint_fn,
    init_from_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
)
from retrograd.nn.contrib.arg_scope import (
    add_arg_scope,
    arg_scope,
    arg_scope_func_key,
    arg_scoped_arguments,
    current_arg_scope,
    has_arg_scope,
)
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
from retrograd.nn.contrib.model_variables import (
    VariableDeviceChooser,
    add_model_variable,
    assign_from_values,
    assign_from_values_fn,
    filter_variables,
    get_local_variables,
    get_model_variables,
    get_placeholders,
    get_trainable_variables,
    get_unique_variable,
    get_variable_full_name,
    get_variables,
    get_variables_by_name,
    get_variables_by_suffix,
    get_variables_to_restore,
    global_variable,
    local_variable,
    model_variable,
    reduce_sum_n,
    variable,
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
    pool,
    safe_embedding_lookup_sparse,
    scale_gradient,
    sequence_to_images,
)
from retrograd.nn.contrib.reversible import RevBlock, rev_block
from retrograd.nn.contrib.sparse_ids import bucketize
from retrograd.nn.embeddings import embedding_lookup_sparse_with_distributed_aggregation
from retrograd.ops.sparse_crossing import (
    _DEFAULT_HASH_KEY as SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY,
)
from retrograd.ops.sparse_crossing import (
    sparse_feature_cross,
)
from retrograd.ops.zeroing import zero_initializer
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
    xavier_initializer_conv2d,
)
from retrograd.tf.contrib import framework as contrib_framework
from retrograd.tf.contrib import layers
from retrograd.tf.contrib.framework.python.ops import variables as contrib_variables
from retrograd.tf.contrib.layers.python.layers import feature_column as fc
from retrograd.tf.python.feature_column import feature_column as fc_core
from retrograd.tf.python.framework import sparse_tensor as sparse_tensor_py
from retrograd.tf.python.ops import variable_scope as vs
from retrograd.tf.python.ops import variables as vars_
from retrograd.tf.python.platform import tf_logging as logging
from retrograd.tf.python.training import optimizer as optimizer_
from retrograd.tf.python.training import training as train
from retrograd.train.training_util import (
    assert_global_step,
    assert_or_get_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
)

absolute_import = __future__.absolute_import
division = __future__.division
print_function = __future__.print_function

_LAZY = {
    "array_ops": "retrograd.tf.python.ops",
    "bucketization_op": "retrograd.tf.contrib.layers.python.ops",
    "checkpoint_utils": "retrograd.tf.contrib.framework.python.framework",
    "clip_ops": "retrograd.tf.python.ops",
    "control_flow_ops": "retrograd.tf.python.ops",
    "deprecation": "retrograd.tf.python.util",
    "dtypes": "retrograd.tf.python.framework",
    "embedding_ops": "retrograd.tf.contrib.layers.python.layers",
    "encoders": "retrograd.tf.contrib.layers.python.layers",
    "feature_column": "retrograd.tf.contrib.layers.python.layers",
    "feature_column_ops": "retrograd.tf.contrib.layers.python.layers",
    "init_ops": "retrograd.tf.python.ops",
    "lookup": "retrograd.tf.contrib",
    "loss_ops": "retrograd.tf.contrib.losses.python.losses",
    "math_ops": "retrograd.tf.python.ops",
    "metric_ops": "retrograd.tf.contrib.metrics.python.ops",
    "metrics": "retrograd.tf.contrib",
    "moving_averages": "retrograd.tf.python.training",
    "nest": "retrograd.tf.python.util",
    "nn": "retrograd.tf.python.ops",
    "nn_ops": "retrograd.tf.python.ops",
    "normalization": "retrograd.tf.contrib.layers.python.layers",
    "ops": "retrograd.tf.python.framework",
    "optimizers": "retrograd.tf.contrib.layers.python.layers",
    "parsing_ops": "retrograd.tf.python.ops",
    "random_ops": "retrograd.tf.python.ops",
    "resource_variable_ops": "retrograd.tf.python.ops",
    "rev_block_lib": "retrograd.tf.contrib.layers.python.layers",
    "sparse_feature_cross_op": "retrograd.tf.contrib.layers.python.ops",
    "sparse_ops": "retrograd.tf.python.ops",
    "sparse_tensor": "retrograd.tf.python.framework",
    "string_ops": "retrograd.tf.python.ops",
    "summary": "retrograd.tf.python.summary",
    "tensor_shape": "retrograd.tf.python.framework",
    "variable_scope": "retrograd.tf.python.ops",
    "variables": "retrograd.tf.python.ops",
}
__getattr__ = missing(__name__, _LAZY)
