"""Where the names of the packages of ``tf.contrib`` that came last come from; see ``faces_of_contrib``."""

from faces_of_contrib import HIDDEN, serve
from faces_table import EXTRA, WITH_RAW_OPS

_CONSTRAINED = "contrib.constrained_optimization contrib.constrained_optimization.python"
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
