"""Where the names of the packages of ``tf.contrib`` come from; see ``faces_of_contrib``."""

from faces_of_contrib import serve

SERVED = """
contrib.kernel_methods | contrib.kernel_methods contrib.kernel_methods.python.mappers.random_fourier_features |
    RandomFourierFeatureMapper
contrib.kernel_methods | contrib.kernel_methods contrib.kernel_methods.python.losses | sparse_multiclass_hinge_loss
contrib.kernel_methods | contrib.kernel_methods.python.mappers.dense_kernel_mapper | DenseKernelMapper
    InvalidShapeError
contrib.loss_scaling | contrib.mixed_precision contrib.mixed_precision.python.loss_scale_manager | LossScaleManager
    FixedLossScaleManager ExponentialUpdateLossScaleManager
contrib.loss_scaling | contrib.mixed_precision contrib.mixed_precision.python.loss_scale_optimizer |
    LossScaleOptimizer
contrib.pruning | contrib.model_pruning contrib.model_pruning.python.pruning | apply_mask get_masked_weights get_masks
    get_thresholds get_weights get_weight_sparsity get_pruning_hparams Pruning
contrib.pruning | contrib.model_pruning.python.layers.core_layers | MASK_COLLECTION THRESHOLD_COLLECTION
    MASKED_WEIGHT_COLLECTION WEIGHT_COLLECTION MASKED_WEIGHT_NAME
contrib.quantizing | contrib.quantize contrib.quantize.python.quantize_graph | create_eval_graph create_training_graph
    experimental_create_eval_graph experimental_create_training_graph
contrib.skip_grams | contrib.text contrib.text.python.ops.skip_gram_ops | skip_gram_sample
    skip_gram_sample_with_text_vocab
contrib.monte_carlo | contrib.bayesflow.monte_carlo contrib.bayesflow.python.ops.monte_carlo
    contrib.bayesflow.python.ops.monte_carlo_impl | expectation expectation_importance_sampler
    expectation_importance_sampler_logspace
contrib.odes | contrib.integrate contrib.integrate.python.ops.odes | odeint odeint_fixed
contrib.solvers | contrib.solvers.python.ops.linear_equations contrib.solvers.linear_equations | conjugate_gradient
contrib.lanczos | contrib.solvers.python.ops.lanczos contrib.solvers.lanczos | lanczos_bidiag bidiag_matmul
contrib.solvers | contrib.solvers.python.ops.least_squares contrib.solvers.least_squares | cgls
contrib.solvers | contrib.solvers.python.ops.util contrib.solvers.util | create_operator identity_operator dot
    l2norm_squared l2norm l2normalize
contrib.constrained | contrib.constrained_optimization
    contrib.constrained_optimization.python.constrained_minimization_problem | ConstrainedMinimizationProblem
contrib.constrained | contrib.constrained_optimization contrib.constrained_optimization.python.constrained_optimizer |
    ConstrainedOptimizer
contrib.constrained | contrib.constrained_optimization
    contrib.constrained_optimization.python.external_regret_optimizer | AdditiveExternalRegretOptimizer
contrib.constrained | contrib.constrained_optimization contrib.constrained_optimization.python.swap_regret_optimizer |
    AdditiveSwapRegretOptimizer MultiplicativeSwapRegretOptimizer
contrib.constrained | contrib.constrained_optimization.python.external_regret_optimizer |
    project_multipliers=_project_multipliers_wrt_euclidean_norm
contrib.constrained | contrib.constrained_optimization.python.swap_regret_optimizer |
    largest_eigenvector=_maximal_eigenvector_power_method
    project_stochastic_matrix=_project_stochastic_matrix_wrt_euclidean_norm
    project_log_stochastic_matrix=_project_log_stochastic_matrix_wrt_kl_divergence
contrib.mixtures | contrib.factorization contrib.factorization.python.ops.gmm_ops | GmmAlgorithm gmm
contrib.mixtures | contrib.factorization.python.ops.gmm_ops | FULL_COVARIANCE DIAG_COVARIANCE covariance=_covariance
contrib.factorizing | contrib.factorization contrib.factorization.python.ops.factorization_ops | WALSModel
contrib.masked_layers | contrib.model_pruning contrib.model_pruning.python.layers.layers | masked_conv2d
    masked_convolution masked_fully_connected
contrib.masked_layers | contrib.model_pruning.python.layers.core_layers | MaskedConv2D MaskedFullyConnected
contrib.masked_layers | contrib.model_pruning contrib.model_pruning.python.layers.rnn_cells | MaskedBasicLSTMCell
    MaskedLSTMCell
contrib.pruned_graphs | contrib.model_pruning contrib.model_pruning.python.strip_pruning_vars_lib |
    graph_def_from_checkpoint strip_pruning_vars_fn
contrib.pruned_graphs | contrib.model_pruning contrib.model_pruning.python.learning | train
contrib.labels | contrib.labeled_tensor | Axis Axes LabeledTensor as_axis convert_to_labeled_tensor identity transpose
    expand_dims align axis_order_scope check_axis_order impose_axis_order AxisOrderError define_unary_op
    define_binary_op slice_=slice
contrib.labels | contrib.labeled_tensor.python.ops.core | Axis Axes LabeledTensor as_axis convert_to_labeled_tensor
    identity transpose expand_dims align axis_order_scope check_axis_order impose_axis_order AxisOrderError
    define_unary_op define_binary_op slice_=slice_function get_axis_order concat_axes
    _merged=_find_consistent_ordering
contrib.labeled_math | contrib.labeled_tensor | abs_=abs neg sign reciprocal square round_=round sqrt rsqrt exp log
    ceil floor cos sin tan acos asin atan lgamma digamma erf erfc logical_not tanh sigmoid add sub mul div mod
    pow_=pow equal greater greater_equal not_equal less less_equal logical_and logical_or logical_xor maximum minimum
    squared_difference igamma igammac zeta polygamma
contrib.labeled_math | contrib.labeled_tensor.python.ops.core | abs_=abs_function neg sign reciprocal square
    round_=round_function sqrt rsqrt exp log ceil floor cos sin tan acos asin atan lgamma digamma erf erfc logical_not
    tanh sigmoid add sub mul div mod pow_=pow_function equal greater greater_equal not_equal less less_equal
    logical_and logical_or logical_xor maximum minimum squared_difference igamma igammac zeta polygamma
contrib.labeled_math | contrib.labeled_tensor.python.ops.nn | relu relu6 crelu elu softplus l2_loss softmax
    log_softmax sigmoid_cross_entropy_with_logits softmax_cross_entropy_with_logits
    sparse_softmax_cross_entropy_with_logits
contrib.labeled_ops | contrib.labeled_tensor contrib.labeled_tensor.python.ops.ops | select concat pack unpack reshape
    rename_axis random_crop map_fn foldl squeeze matmul tile pad constant zeros_like ones_like cast
    verify_tensor_all_finite boolean_mask where reduce_all reduce_any reduce_logsumexp reduce_max reduce_mean
    reduce_min reduce_prod reduce_sum batch shuffle_batch define_reduce_op
contrib.labeled_ops | contrib.labeled_tensor contrib.labeled_tensor.python.ops.io_ops | FixedLenFeature parse_example
    parse_single_example placeholder
contrib.labeled_ops | contrib.labeled_tensor contrib.labeled_tensor.python.ops.sugar | ReshapeCoder
contrib.example_queues | contrib.learn contrib.learn.io contrib.learn.python.learn.learn_io.graph_io
    contrib.learn.python.learn.learn_io | read_batch_examples read_batch_features read_batch_record_features
    read_keyed_batch_examples read_keyed_batch_examples_shared_queue read_keyed_batch_features
    read_keyed_batch_features_shared_queue queue_parsed_features
contrib.example_queues | contrib.learn.python.learn.learn_io.graph_io | _file_names=_get_file_names
    _KEY=KEY_FEATURE_NAME
contrib.example_queues | contrib.input_pipeline contrib.input_pipeline.python.ops.input_pipeline_ops | obtain_next
contrib.example_queues | contrib.input_pipeline.python.ops.input_pipeline_ops | seek_next
contrib.candidates | contrib.constrained_optimization contrib.constrained_optimization.python.candidates |
    find_best_candidate_distribution find_best_candidate_index
contrib.worker_averages | contrib.opt contrib.opt.python.training.model_average_optimizer | ModelAverageOptimizer
    ModelAverageCustomGetter
contrib.worker_averages | contrib.opt contrib.opt.python.training.elastic_average_optimizer | ElasticAverageOptimizer
    ElasticAverageCustomGetter
contrib.worker_averages | contrib.opt contrib.opt.python.training.agn_optimizer | AGNOptimizer AGNCustomGetter
contrib.worker_averages | contrib.opt contrib.opt.python.training.drop_stale_gradient_optimizer |
    DropStaleGradientOptimizer
contrib.cudnn_layers | contrib.cudnn_rnn contrib.cudnn_rnn.python.layers contrib.cudnn_rnn.python.layers.cudnn_rnn |
    CudnnLSTM CudnnGRU CudnnRNNTanh CudnnRNNRelu
contrib.cudnn_saveables | contrib.cudnn_rnn contrib.cudnn_rnn.python.ops.cudnn_rnn_ops | CudnnLSTMSaveable
    CudnnGRUSaveable CudnnRNNTanhSaveable CudnnRNNReluSaveable CudnnParamsFormatConverterLSTM
    CudnnParamsFormatConverterGRU CudnnParamsFormatConverterTanh CudnnParamsFormatConverterRelu
nn.layers.containers | contrib.checkpoint | List Mapping
contrib.checkpoint_objects | contrib.checkpoint contrib.checkpoint.python.containers | UniqueNameTracker
contrib.checkpoint_objects | contrib.checkpoint contrib.checkpoint.python.python_state | NumpyState
contrib.checkpoint_objects | contrib.checkpoint contrib.checkpoint.python.visualize | dot_graph_from_checkpoint
contrib.checkpoint_objects | contrib.checkpoint python.training.tracking.util | list_objects object_metadata
contrib.state_optimizer_kinds | contrib.optimizer_v2 contrib.optimizer_v2.gradient_descent | GradientDescentOptimizer
contrib.state_optimizer_kinds | contrib.opt contrib.opt.python.training.ggt | GGTOptimizer
contrib.state_optimizer_kinds | contrib.optimizer_v2 contrib.optimizer_v2.momentum | MomentumOptimizer
contrib.state_optimizer_kinds | contrib.optimizer_v2 contrib.optimizer_v2.adagrad | AdagradOptimizer
contrib.state_optimizer_kinds | contrib.optimizer_v2 contrib.optimizer_v2.adadelta | AdadeltaOptimizer
contrib.state_optimizer_kinds | contrib.optimizer_v2 contrib.optimizer_v2.rmsprop | RMSPropOptimizer
contrib.state_optimizer_kinds | contrib.optimizer_v2 contrib.optimizer_v2.adam | AdamOptimizer
contrib.state_optimizers | contrib.optimizer_v2 contrib.optimizer_v2.optimizer_v2 | OptimizerV2
"""

serve(SERVED)
