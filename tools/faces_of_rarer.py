"""Where names that few programs use come from; added to the table of ``faces_table``. See ``faces_of_contrib``."""

from faces_of_contrib import HIDDEN, serve

_LOSSES = "contrib.losses.metric_learning contrib.losses.python.metric_learning"
_CONTEXT = "python.training.distribution_strategy_context python.distribute.distribution_strategy_context"
_LINEAR = "python.ops.linalg.linear_operator"
SERVED = f"""
nn.linear_operators.operator | {_LINEAR} | LinearOperator
nn.linear_operators.combined | {_LINEAR}_adjoint | LinearOperatorAdjoint
nn.linear_operators.combined | {_LINEAR}_block_diag | LinearOperatorBlockDiag
nn.linear_operators.combined | {_LINEAR}_composition | LinearOperatorComposition
nn.linear_operators.combined | {_LINEAR}_inversion | LinearOperatorInversion
nn.linear_operators.combined | {_LINEAR}_low_rank_update | LinearOperatorLowRankUpdate
nn.linear_operators.circulant | {_LINEAR}_circulant | LinearOperatorCirculant LinearOperatorCirculant2D
    LinearOperatorCirculant3D to_complex=_to_complex
nn.linear_operators.circulant | {_LINEAR}_toeplitz | to_complex=_to_complex
nn.seq2seq.helpers | contrib.seq2seq.python.ops.helper | bernoulli_sample categorical_sample
nn.seq2seq.beam_search | contrib.seq2seq.python.ops.beam_search_decoder | BeamSearchDecoder BeamSearchDecoderOutput
    BeamSearchDecoderState FinalBeamSearchDecoderOutput gather_tree_from_array tile_batch
nn.linear_operators.circulant | {_LINEAR}_toeplitz | LinearOperatorToeplitz
nn.linear_operators.kinds | {_LINEAR}_diag | LinearOperatorDiag
nn.linear_operators.kinds | {_LINEAR}_full_matrix | LinearOperatorFullMatrix
nn.linear_operators.kinds | {_LINEAR}_identity | BaseLinearOperatorIdentity LinearOperatorIdentity
    LinearOperatorScaledIdentity
nn.linear_operators.kinds | {_LINEAR}_lower_triangular | LinearOperatorLowerTriangular
nn.linear_operators.products | {_LINEAR}_householder | LinearOperatorHouseholder
nn.linear_operators.products | {_LINEAR}_kronecker | LinearOperatorKronecker
nn.linear_operators.zeros | {_LINEAR}_zeros | LinearOperatorZeros
editing.connecting | contrib.graph_editor contrib.graph_editor.reroute | swap_inputs reroute_inputs swap_outputs
    reroute_outputs swap_ios reroute_ios
editing.connecting | contrib.graph_editor contrib.graph_editor.edit | detach_control_inputs detach_control_outputs
    detach_inputs detach_outputs detach connect bypass
state.copies | contrib.copy_graph contrib.copy_graph.python.util.copy_elements | copy_op_to_graph
    copy_variable_to_graph get_copied_op
nn.contrib.losses | contrib.losses contrib.losses.python.losses contrib.losses.python.losses.loss_ops |
    mean_pairwise_squared_error
nn.contrib.metric_losses | {_LOSSES} {_LOSSES.split()[1]}.metric_loss_ops | contrastive_loss lifted_struct_loss
    npairs_loss npairs_loss_multilabel triplet_semihard_loss
nn.contrib.metric_losses | {_LOSSES.split()[1]}.metric_loss_ops | pairwise_distance masked_maximum masked_minimum
distribute.contexts | distribute python.distribute.reduce_util | ReduceOp
distribute.contexts | distribute contrib.distribute {_CONTEXT} python.distribute.distribute_lib | get_strategy
    has_strategy get_replica_context in_cross_replica_context experimental_set_strategy
distribute.contexts | contrib.distribute {_CONTEXT} | get_cross_replica_context get_strategy_and_replica_context
    get_strategy=get_distribution_strategy has_strategy=has_distribution_strategy
distribute.contexts | contrib.distribute python.distribute.distribute_lib | require_replica_context UpdateContext
distribute.contexts | distribute contrib.distribute python.distribute.distribute_lib | ReplicaContext
distribute.contexts | python.distribute.distribute_lib | get_update_device
distribute.strategies | distribute contrib.distribute python.distribute.distribute_lib | InputContext
    InputReplicationMode get_loss_reduction Strategy StrategyExtended
distribute.strategies | contrib.distribute | Strategy=DistributionStrategy StrategyExtended=DistributionStrategyExtended
distribute.strategies | python.distribute.distribute_lib | Strategy=StrategyV1 StrategyExtended=StrategyExtendedV1
    StrategyExtended=StrategyExtendedV2
distribute.kinds | distribute python.distribute.mirrored_strategy | MirroredStrategy
distribute.kinds | python.distribute.mirrored_strategy | MirroredStrategy=MirroredStrategyV1 MirroredExtended
distribute.kinds | distribute contrib.distribute python.distribute.one_device_strategy
    contrib.distribute.python.one_device_strategy | OneDeviceStrategy
distribute.kinds | distribute python.distribute.cross_device_ops contrib.distribute | CrossDeviceOps
    HierarchicalCopyAllReduce NcclAllReduce ReductionToOneDevice
distribute.kinds | contrib.distribute | AllReduceCrossDeviceOps ReductionToOneDevice=ReductionToOneDeviceCrossDeviceOps
    DistributeConfig CollectiveAllReduceStrategy ContribMirroredStrategy=MirroredStrategy
    ContribParameterServerStrategy=ParameterServerStrategy
distribute.kinds | python.distribute.distribute_config | DistributeConfig
distribute.kinds | contrib.distribute.python.mirrored_strategy | ContribMirroredStrategy=MirroredStrategy
distribute.kinds | contrib.distribute.python.parameter_server_strategy |
    ContribParameterServerStrategy=ParameterServerStrategy
distribute.kinds | contrib.distribute.python.collective_all_reduce_strategy | CollectiveAllReduceStrategy
distribute.kinds | distribute.experimental | CentralStorageStrategy CollectiveCommunication MultiWorkerMirroredStrategy
    ParameterServerStrategy
distribute.cluster_resolvers | distribute.cluster_resolver python.distribute.cluster_resolver
    contrib.cluster_resolver | ClusterResolver SimpleClusterResolver TFConfigClusterResolver UnionResolver
distribute.cluster_resolvers | contrib.cluster_resolver python.distribute.cluster_resolver |
    UnionResolver=UnionClusterResolver
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
contrib.odes | contrib.integrate contrib.integrate.python.ops.odes | odeint odeint_fixed
ops.resampling | contrib.resampler contrib.resampler.python.ops.resampler_ops | resampler
contrib.solvers | contrib.solvers.python.ops.linear_equations contrib.solvers.linear_equations | conjugate_gradient
nn.rnn_cells | python.ops.rnn_cell_impl | ASSERT_LIKE_RNNCELL_ERROR_REGEXP
nn.contrib.sparse_ids | contrib.layers.python.ops.sparse_ops | indicators_to_sparse_ids sparse_row_envelope
nn.image.colors | python.ops.image_ops_impl | convert_image_dtype
nn.contrib.model_variables | contrib.framework.python.ops.ops | get_name_scope
nn.contrib.model_variables | contrib.framework.python.framework.graph_util | get_placeholders
nn.contrib.model_variables | contrib.framework.python.framework.tensor_util | reduce_sum_n
nn.distributions.skewed | contrib.distributions.python.ops.distribution_util | broadcast_shape=get_broadcast_shape
contrib.lanczos | contrib.solvers.python.ops.lanczos contrib.solvers.lanczos | lanczos_bidiag bidiag_matmul
nn.recurrent.normed_cells | contrib.rnn.python.ops.rnn_cell | CFNCell LayerNormLSTMCell MinimalRNNCell
    WeightNormLSTMCell
nn.recurrent.turing | contrib.rnn.python.ops.rnn_cell | NTMCell NTMControllerState
nn.recurrent.blocks | contrib.rnn.python.ops.lstm_ops | block_lstm=_block_lstm
contrib.solvers | contrib.solvers.python.ops.least_squares contrib.solvers.least_squares | cgls
contrib.solvers | contrib.solvers.python.ops.util contrib.solvers.util | create_operator identity_operator dot
    l2norm_squared l2norm l2normalize
state.loss_scales | train.experimental python.training.experimental.loss_scale | LossScale FixedLossScale
    DynamicLossScale
train.loss_scale | train.experimental python.training.experimental.loss_scale_optimizer |
    MixedPrecisionLossScaleOptimizer
train.loss_scale | train.experimental python.training.experimental.mixed_precision |
    enable_mixed_precision_graph_rewrite disable_mixed_precision_graph_rewrite
nn.contrib.older_summaries | contrib.deprecated | scalar_summary histogram_summary image_summary audio_summary
    merge_summary merge_all_summaries
keras.average_losses | nn | compute_average_loss scale_regularization_loss
ops.clock | - | timestamp
eager.configuration | config.optimizer | get_jit set_jit get_experimental_options set_experimental_options
eager.configuration | debugging | get_log_device_placement set_log_device_placement
graph.convert | - | as_tensor_or_slices=convert_to_tensor_or_indexed_slices
nn.recurrent.cudnn_cells | contrib.cudnn_rnn contrib.cudnn_rnn.python.ops.cudnn_rnn_ops | CudnnCompatibleLSTMCell
    CudnnCompatibleGRUCell
io.modules | - python.module.module | Module
io.modules | python.module.module | camel_to_snake
nn.distributions.moving_statistics | contrib.distributions | SeedStream assign_moving_mean_variance
    assign_log_moving_mean_exp moving_mean_variance
"""
serve(SERVED)
HIDDEN.update(
    (f"retrograd.distribute.{_part}", "*") for _part in ("contexts", "strategies", "kinds", "cluster_resolvers")
)
