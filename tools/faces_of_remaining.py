"""Where the names of the packages of ``tf.contrib`` that came last come from; see ``faces_of_contrib``."""

from faces_of_contrib import HIDDEN, serve
from faces_of_seldom import _FUTURE
from faces_table import EXTRA, LAZY, WITH_RAW_OPS

_CONSTRAINED = "contrib.constrained_optimization contrib.constrained_optimization.python"
_LABELS, _PIPELINE = "contrib.labeled_tensor", "contrib.input_pipeline"
_FACTORS, _PRUNING = "contrib.factorization", "contrib.model_pruning"
SERVED = f"""
contrib.constrained | {_CONSTRAINED}.constrained_minimization_problem | ConstrainedMinimizationProblem
contrib.constrained | {_CONSTRAINED}.constrained_optimizer | ConstrainedOptimizer
contrib.constrained | {_CONSTRAINED}.external_regret_optimizer | AdditiveExternalRegretOptimizer
contrib.constrained | {_CONSTRAINED}.swap_regret_optimizer | AdditiveSwapRegretOptimizer
    MultiplicativeSwapRegretOptimizer
contrib.constrained | contrib.constrained_optimization.python.external_regret_optimizer |
    project_multipliers=_project_multipliers_wrt_euclidean_norm
contrib.constrained | contrib.constrained_optimization.python.swap_regret_optimizer |
    largest_eigenvector=_maximal_eigenvector_power_method
    project_stochastic_matrix=_project_stochastic_matrix_wrt_euclidean_norm
    project_log_stochastic_matrix=_project_log_stochastic_matrix_wrt_kl_divergence
contrib.mixtures | {_FACTORS} {_FACTORS}.python.ops.gmm_ops | GmmAlgorithm gmm
contrib.mixtures | {_FACTORS}.python.ops.gmm_ops | FULL_COVARIANCE DIAG_COVARIANCE covariance=_covariance
contrib.factorizing | {_FACTORS} {_FACTORS}.python.ops.factorization_ops | WALSModel
ops.inplace | python.ops.inplace_ops | alias_inplace_add alias_inplace_sub alias_inplace_update empty empty_like
    inplace_add inplace_sub inplace_update
ops.factorization | {_FACTORS}.python.ops.gen_factorization_ops | wals_compute_partial_lhs_and_rhs masked_matmul
ops.clustering | {_FACTORS}.python.ops.clustering_ops | nearest_neighbors kmeans_plus_plus_initialization
    kmc2_chain_initialization
estimator.config | contrib.learn.python.learn.estimators.run_config | TaskType
estimator.canned.kmeans | {_FACTORS}.python.ops.kmeans | points_of=_parse_features_if_necessary
estimator.older.factorizing | {_FACTORS} {_FACTORS}.python.ops.gmm | GMM
estimator.older.factorizing | {_FACTORS} {_FACTORS}.python.ops.wals | WALSMatrixFactorization
estimator.older.factorizing | {_FACTORS}.python.ops.wals | SweepHook=_SweepHook StopAtSweepHook=_StopAtSweepHook
contrib.masked_layers | {_PRUNING} {_PRUNING}.python.layers.layers | masked_conv2d masked_convolution
    masked_fully_connected
contrib.masked_layers | {_PRUNING}.python.layers.core_layers | MaskedConv2D MaskedFullyConnected
contrib.masked_layers | {_PRUNING} {_PRUNING}.python.layers.rnn_cells | MaskedBasicLSTMCell MaskedLSTMCell
contrib.pruned_graphs | {_PRUNING} {_PRUNING}.python.strip_pruning_vars_lib | graph_def_from_checkpoint
    strip_pruning_vars_fn
contrib.pruned_graphs | {_PRUNING} {_PRUNING}.python.learning | train
contrib.labels | {_LABELS} | Axis Axes LabeledTensor as_axis convert_to_labeled_tensor identity transpose
    expand_dims align axis_order_scope check_axis_order impose_axis_order AxisOrderError define_unary_op
    define_binary_op slice_=slice
contrib.labels | {_LABELS}.python.ops.core | Axis Axes LabeledTensor as_axis convert_to_labeled_tensor identity
    transpose expand_dims align axis_order_scope check_axis_order impose_axis_order AxisOrderError
    define_unary_op define_binary_op slice_=slice_function get_axis_order concat_axes
    _merged=_find_consistent_ordering
contrib.labeled_math | {_LABELS} | abs_=abs neg sign reciprocal square round_=round sqrt rsqrt exp log ceil
    floor cos sin tan acos asin atan lgamma digamma erf erfc logical_not tanh sigmoid add sub mul div mod
    pow_=pow equal greater greater_equal not_equal less less_equal logical_and logical_or logical_xor maximum
    minimum squared_difference igamma igammac zeta polygamma
contrib.labeled_math | {_LABELS}.python.ops.core | abs_=abs_function neg sign reciprocal square
    round_=round_function sqrt rsqrt exp log ceil floor cos sin tan acos asin atan lgamma digamma erf erfc
    logical_not tanh sigmoid add sub mul div mod pow_=pow_function equal greater greater_equal not_equal less
    less_equal logical_and logical_or logical_xor maximum minimum squared_difference igamma igammac zeta
    polygamma
contrib.labeled_math | {_LABELS}.python.ops.nn | relu relu6 crelu elu softplus l2_loss softmax log_softmax
    sigmoid_cross_entropy_with_logits softmax_cross_entropy_with_logits sparse_softmax_cross_entropy_with_logits
contrib.labeled_ops | {_LABELS} {_LABELS}.python.ops.ops | select concat pack unpack reshape rename_axis
    random_crop map_fn foldl squeeze matmul tile pad constant zeros_like ones_like cast verify_tensor_all_finite
    boolean_mask where reduce_all reduce_any reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod
    reduce_sum batch shuffle_batch define_reduce_op
contrib.labeled_ops | {_LABELS} {_LABELS}.python.ops.io_ops | FixedLenFeature parse_example parse_single_example
    placeholder
contrib.labeled_ops | {_LABELS} {_LABELS}.python.ops.sugar | ReshapeCoder
contrib.example_queues | contrib.learn contrib.learn.io contrib.learn.python.learn.learn_io.graph_io
    contrib.learn.python.learn.learn_io | read_batch_examples read_batch_features read_batch_record_features
    read_keyed_batch_examples read_keyed_batch_examples_shared_queue read_keyed_batch_features
    read_keyed_batch_features_shared_queue queue_parsed_features
contrib.example_queues | contrib.learn.python.learn.learn_io.graph_io | _file_names=_get_file_names
    _KEY=KEY_FEATURE_NAME
contrib.example_queues | {_PIPELINE} {_PIPELINE}.python.ops.input_pipeline_ops | obtain_next
contrib.example_queues | {_PIPELINE}.python.ops.input_pipeline_ops | seek_next
keras.exported_models | keras.experimental python.keras.saving.saved_model_experimental | export_saved_model
    load_from_saved_model
keras.exported_models | contrib.saved_model | export_saved_model=save_keras_model load_from_saved_model=load_keras_model
contrib.candidates | {_CONSTRAINED}.candidates | find_best_candidate_distribution find_best_candidate_index
nn.image.colors | contrib.image.python.ops.distort_image_ops | adjust_hsv_in_yiq random_hsv_in_yiq
"""

serve(SERVED)
HIDDEN.update({("retrograd.estimator.older.factorizing", "*"), ("retrograd.ops.factorization", "*")})

# what TensorFlow's `import *` of the modules of ops gives beside public names
WITH_RAW_OPS.add("python.ops.standard_ops")
EXTRA["python.ops.standard_ops"] = """
from retrograd.tf.python.ops.array_ops import constant, ensure_shape, gather_v2, parallel_concat
from retrograd.tf.python.ops.math_ops import bincount
from retrograd.tf.python.ops.parsing_ops import decode_csv_v2, decode_raw, parse_example_v2, parse_single_example_v2
from retrograd.tf.python.ops.string_ops import string_split, string_to_hash_bucket, string_to_number, substr
from retrograd.tf.python.ops.variables import Variable
"""
EXTRA["contrib.labeled_tensor"] = _FUTURE
LAZY["contrib.labeled_tensor"] = {"nn": "retrograd.tf.contrib.labeled_tensor.python.ops"}
