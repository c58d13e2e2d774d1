"""Where names of training beyond optimizers come from; see ``faces_of_contrib``."""

from faces_of_contrib import HIDDEN, serve
from faces_table import EXTRA, LAZY, RENAMED

_SEQUENCES = "contrib.training contrib.training.python.training.sequence_queueing_state_saver"
_LINEAR = "contrib.linear_optimizer"
SERVED = f"""
graph.modes | experimental python.ops.control_flow_v2_toggles | output_all_intermediates
state.template | contrib.checkpoint python.training.tracking.util | capture_dependencies
nn.embeddings | contrib.slim contrib.layers.python.layers.embedding_ops |
    embedding_lookup_sparse_with_distributed_aggregation
contrib.pretty_printing | contrib.framework.python.ops.prettyprint_ops | print_op
nn.distributions.vectors | contrib.distributions.python.ops.distribution_util | move_dimension
estimator.time_series.exported | contrib.timeseries.python.timeseries.saved_model_utils | cold_start_filter
    filter_continuation predict_continuation
train.state_saver | {_SEQUENCES} | SequenceQueueingStateSaver NextQueuedSequenceBatch
train.sequence_batches | {_SEQUENCES} | batch_sequences_with_states
train.sequence_batches | contrib.training.python.training.sequence_queueing_state_saver | _padding
ops.message_fields | io python.ops.proto_ops contrib.proto | decode_proto encode_proto
ops.message_fields | contrib.proto.python.ops.decode_proto_op | decode_proto
ops.message_fields | contrib.proto.python.ops.encode_proto_op | encode_proto
ops.libsvm | contrib.libsvm contrib.libsvm.python.ops.libsvm_ops | decode_libsvm
contrib.coordinate_ascent | {_LINEAR} {_LINEAR}.python.ops.sdca_ops | SdcaModel
contrib.sharded_tables | {_LINEAR}.python.ops.sharded_mutable_dense_hashtable | ShardedMutableDenseHashTable
estimator.canned.coordinate_ascent | estimator.experimental | LinearSDCA
estimator.older.ascent | {_LINEAR} {_LINEAR}.python.sdca_optimizer | SDCAOptimizer
estimator.older.linear_kinds | contrib.learn contrib.learn.python.learn.estimators.svm | SVM
estimator.older.linear_kinds | {_LINEAR}.python.sdca_estimator | SDCAEstimator=_SDCAEstimator SDCALogisticClassifier
    SDCALinearRegressor
estimator.older.linear_kinds | contrib.kernel_methods contrib.kernel_methods.python.kernel_estimators |
    KernelLinearClassifier
contrib.coordinate_ascent | {_LINEAR} {_LINEAR}.python.ops.sparse_feature_column | SparseFeatureColumn
ops.sdca | train python.ops.sdca_ops python.ops.gen_sdca_ops | sdca_fprint sdca_shrink_l1 sdca_optimizer
ops.sdca | python.ops.gen_sdca_ops | sdca_optimizer_v2
train.training_util | contrib.framework contrib.slim contrib.framework.python.ops.variables |
    assert_or_get_global_step
train.signs | contrib.opt | AddSignOptimizer PowerSignOptimizer
train.signs | contrib.opt.python.training.addsign | AddSignOptimizer
train.signs | contrib.opt.python.training.powersign | PowerSignOptimizer
train.signs | contrib.opt.python.training.sign_decay | get_linear_decay_fn get_cosine_decay_fn get_restart_decay_fn
train.layerwise | contrib.opt contrib.opt.python.training.lars_optimizer | LARSOptimizer
train.wrapping | contrib.opt contrib.opt.python.training.variable_clipping_optimizer | VariableClippingOptimizer
train.wrapping | contrib.opt contrib.opt.python.training.multitask_optimizer_wrapper | MultitaskOptimizerWrapper
    clip_gradients_by_global_norm
train.shampoo | contrib.opt contrib.opt.python.training.shampoo | ShampooOptimizer
train.shampoo | contrib.opt.python.training.matrix_functions | matrix_square_root matrix_inverse_pth_root
train.adagrad | contrib.opt contrib.opt.python.training.reg_adagrad_optimizer | RegAdagradOptimizer
train.adam_variants | contrib.opt contrib.opt.python.training.adam_gs_optimizer | AdamGSOptimizer
train.adam_variants | contrib.opt contrib.opt.python.training.lazy_adam_gs_optimizer | LazyAdamGSOptimizer
train.loss_scale | train.experimental python.training.experimental.loss_scale_optimizer |
    MixedPrecisionLossScaleOptimizer
train.loss_scale | train.experimental python.training.experimental.mixed_precision |
    enable_mixed_precision_graph_rewrite disable_mixed_precision_graph_rewrite
"""

serve(SERVED)
HIDDEN.update({("retrograd.estimator.older.ascent", "*"), ("retrograd.estimator.older.linear_kinds", "*")})
HIDDEN.update({("retrograd.train.state_saver", "*"), ("retrograd.train.sequence_batches", "*")})
HIDDEN.update({("retrograd.contrib.pretty_printing", "*"), ("retrograd.nn.distributions.vectors", "move_dimension")})
HIDDEN.add(("retrograd.estimator.time_series.exported", "*"))
LAZY.setdefault("contrib.timeseries", {})["saved_model_utils"] = "retrograd.tf.contrib.timeseries.python.timeseries"
# everything of tf.estimator is in the module that makes it, too
EXTRA["python.estimator.estimator_lib"] = "from retrograd.tf.estimator import *"
RENAMED["python.estimator.estimator_lib", "Estimator"] = "retrograd.estimator.estimator:"
RENAMED["python.estimator.estimator_lib", "RunConfig"] = "retrograd.estimator.config:"
for _name in ("enable_mixed_precision_graph_rewrite", "disable_mixed_precision_graph_rewrite"):
    RENAMED["python.training.experimental.mixed_precision", f"{_name}_v1"] = f"retrograd.train.loss_scale:{_name}"
