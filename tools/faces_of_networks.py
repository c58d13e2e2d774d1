"""Where names of layers, losses, metrics, recurrent networks and distributions come from; see ``faces_of_contrib``."""

from faces_of_contrib import serve

SERVED = """
keras.utils | python.keras.utils.conv_utils | convert_kernel normalize_data_format normalize_padding
nn.contrib.shape_conditions | contrib.framework contrib.slim contrib.framework.python.framework.tensor_util |
    assert_scalar_int remove_squeezable_dimensions with_same_shape with_shape
nn.contrib.functions | contrib.nn contrib.nn.python.ops.sampling_ops | rank_sampled_softmax_loss
    sampled_sparse_softmax_loss
nn.contrib.functions | contrib.framework contrib.framework.python.ops.script_ops | py_func
nn.contrib.reversible | contrib.layers contrib.slim contrib.layers.python.layers.rev_block_lib
    contrib.layers.python.layers | RevBlock rev_block
keras.schedules | keras.experimental python.keras.optimizer_v2.learning_rate_schedule | CosineDecay
    CosineDecayRestarts LinearCosineDecay NoisyLinearCosineDecay
keras.layers.recurrent_cells | keras.experimental python.keras.layers python.keras.layers.recurrent | PeepholeLSTMCell
keras.losses | python.ops.losses.loss_reduction | Reduction=ReductionV2
keras.hdf5 | python.keras.saving.hdf5_format python.keras.engine.saving | save_model_to_hdf5 load_model_from_hdf5
    save_weights_to_hdf5_group load_weights_from_hdf5_group load_weights_from_hdf5_group_by_name
    save_attributes_to_hdf5_group load_attributes_from_hdf5_group
keras.hdf5 | python.keras.saving.hdf5_format | save_optimizer_weights_to_hdf5_group
    load_optimizer_weights_from_hdf5_group
keras.weights_of_files | python.keras.saving.hdf5_format python.keras.engine.saving | preprocess_weights_for_loading
keras.weights_of_files | python.keras.saving.hdf5_format | convert_rnn_weights=_convert_rnn_weights
    legacy_weights=_legacy_weights
keras.cloning | python.keras.models | clone_and_build_model share_weights clone_functional=_clone_functional_model
    clone_sequential=_clone_sequential_model
keras.resetting | python.keras.models | restore_in_place=in_place_subclassed_model_state_restoration
    reset_in_place=_in_place_subclassed_model_reset
nn.layers.session | python.keras.backend | initialize=_initialize_variables
keras.kernels | python.keras.utils.kernelized_utils | exact_gaussian_kernel exact_laplacian_kernel inner_product
keras.kernels | python.keras.layers.kernelized python.keras.layers | RandomFourierFeatures
keras.mode_maps | python.saved_model.model_utils.mode_keys | ModeKeyMap is_train is_eval is_predict
estimator.specs | python.keras.utils.mode_keys | KerasModeKeys=ModeKeys
keras.utils | python.keras.utils.generic_utils | has_arg slice_arrays
keras.utils | python.keras.utils.data_utils | validate_file hash_of=_hash_file
keras.overwriting | python.keras.utils.io_utils | ask=ask_to_proceed_with_overwrite
keras.datasets | python.keras.preprocessing.sequence | shorter=_remove_long_seq
keras.model_utils | python.keras.engine python.keras.utils.layer_utils | get_source_inputs
keras.inputs | python.keras.engine | Input InputLayer
nn.layers.engine | python.keras.engine | Layer
nn.layers.input_spec | python.keras.engine | InputSpec
nn.layers.input_spec | python.keras.engine.input_spec | to_tensor_shape
graph.identity | python.util.object_identity | StandIn=_ObjectIdentityWrapper
    WeakStandIn=_WeakObjectIdentityWrapper ObjectIdentityDictionary ObjectIdentityWeakKeyDictionary ObjectIdentitySet
    ObjectIdentityWeakSet
keras.saved_models | python.keras.saving.saved_model.load | load
keras.filed_models | python.keras.saving | model_from_config model_from_json model_from_yaml
keras.premade | keras.experimental python.keras.premade.linear | LinearModel
nn.keras.constraints | keras.constraints python.keras.constraints | RadialConstraint
nn.keras.constraints | keras.constraints | RadialConstraint=radial_constraint
nn.contrib.warping | contrib.image contrib.image.python.ops.interpolate_spline | interpolate_spline
nn.contrib.warping | contrib.image contrib.image.python.ops.sparse_image_warp | sparse_image_warp
nn.contrib.warping | contrib.image.python.ops.sparse_image_warp | _pixels=_get_grid_locations
    _boundary=_get_boundary_locations
nn.contrib.sparsemax | contrib.sparsemax contrib.sparsemax.python.ops.sparsemax | sparsemax
nn.contrib.sparsemax | contrib.sparsemax contrib.sparsemax.python.ops.sparsemax_loss | sparsemax_loss
nn.summaries | python.ops.summary_op_util python.distribute.summary_op_util | clean_tag summary_scope collect
nn.summaries | python.distribute.summary_op_util | skip_summary
nn.recurrent.grid | contrib.grid_rnn contrib.grid_rnn.python.ops.grid_rnn_cell | GridRNNCell Grid1BasicRNNCell
    Grid2BasicRNNCell Grid1BasicLSTMCell Grid2BasicLSTMCell Grid1LSTMCell Grid2LSTMCell Grid3LSTMCell Grid2GRUCell
keras.premade | keras.experimental python.keras.premade.wide_deep | WideDeepModel
keras.replicas | keras.utils python.keras.utils python.keras.utils.multi_gpu_utils | multi_gpu_model
nn.linear_operators.operator | python.ops.linalg.linear_operator | LinearOperator
nn.linear_operators.turned | python.ops.linalg.linear_operator_adjoint | LinearOperatorAdjoint
nn.linear_operators.combined | python.ops.linalg.linear_operator_block_diag | LinearOperatorBlockDiag
nn.linear_operators.combined | python.ops.linalg.linear_operator_composition | LinearOperatorComposition
nn.linear_operators.turned | python.ops.linalg.linear_operator_inversion | LinearOperatorInversion
nn.linear_operators.low_rank | python.ops.linalg.linear_operator_low_rank_update | LinearOperatorLowRankUpdate
nn.linear_operators.circulant | python.ops.linalg.linear_operator_circulant | LinearOperatorCirculant
    LinearOperatorCirculant2D LinearOperatorCirculant3D to_complex=_to_complex
nn.linear_operators.circulant | python.ops.linalg.linear_operator_toeplitz | to_complex=_to_complex
nn.seq2seq.samplers | contrib.seq2seq.python.ops.sampler | Sampler CustomSampler TrainingSampler
    ScheduledEmbeddingTrainingSampler ScheduledOutputTrainingSampler GreedyEmbeddingSampler SampleEmbeddingSampler
    InferenceSampler
nn.seq2seq.helpers | contrib.seq2seq.python.ops.sampler | bernoulli_sample categorical_sample
keras.sequence_loss | contrib.seq2seq.python.ops.loss | SequenceLoss
nn.seq2seq.loss | contrib.seq2seq.python.ops.loss | sequence_loss
nn.seq2seq.decoding | contrib.seq2seq.python.ops.decoder | BaseDecoder
nn.seq2seq.decoder_layers | contrib.seq2seq.python.ops.basic_decoder | BasicDecoderV2
nn.seq2seq.decoding | contrib.seq2seq.python.ops.basic_decoder | BasicDecoder BasicDecoderOutput
nn.seq2seq.decoder_layers | contrib.seq2seq.python.ops.beam_search_decoder | BeamSearchDecoderV2
nn.seq2seq.helpers | contrib.seq2seq.python.ops.helper | bernoulli_sample categorical_sample
nn.seq2seq.beam_search | contrib.seq2seq.python.ops.beam_search_decoder | BeamSearchDecoder
    FinalBeamSearchDecoderOutput gather_tree_from_array tile_batch
nn.linear_operators.circulant | python.ops.linalg.linear_operator_toeplitz | LinearOperatorToeplitz
nn.linear_operators.kinds | python.ops.linalg.linear_operator_diag | LinearOperatorDiag
nn.linear_operators.kinds | python.ops.linalg.linear_operator_full_matrix | LinearOperatorFullMatrix
nn.linear_operators.kinds | python.ops.linalg.linear_operator_identity | BaseLinearOperatorIdentity
    LinearOperatorIdentity LinearOperatorScaledIdentity
nn.linear_operators.kinds | python.ops.linalg.linear_operator_lower_triangular | LinearOperatorLowerTriangular
nn.linear_operators.products | python.ops.linalg.linear_operator_householder | LinearOperatorHouseholder
nn.linear_operators.products | python.ops.linalg.linear_operator_kronecker | LinearOperatorKronecker
nn.linear_operators.zeros | python.ops.linalg.linear_operator_zeros | LinearOperatorZeros
nn.contrib.losses | contrib.losses contrib.losses.python.losses contrib.losses.python.losses.loss_ops |
    mean_pairwise_squared_error
nn.contrib.metric_losses | contrib.losses.metric_learning contrib.losses.python.metric_learning
    contrib.losses.python.metric_learning.metric_loss_ops | contrastive_loss lifted_struct_loss npairs_loss
    npairs_loss_multilabel triplet_semihard_loss
nn.contrib.cluster_loss | contrib.losses.metric_learning contrib.losses.python.metric_learning
    contrib.losses.python.metric_learning.metric_loss_ops | cluster_loss
nn.contrib.metric_losses | contrib.losses.python.metric_learning.metric_loss_ops | pairwise_distance masked_maximum
    masked_minimum
nn.rnn_cells | python.ops.rnn_cell_impl | ASSERT_LIKE_RNNCELL_ERROR_REGEXP
nn.contrib.sparse_ids | contrib.layers.python.ops.sparse_ops | indicators_to_sparse_ids sparse_row_envelope
nn.image.colors | python.ops.image_ops_impl | convert_image_dtype
nn.contrib.model_variables | contrib.framework.python.ops.ops | get_name_scope
nn.contrib.model_variables | contrib.framework.python.framework.graph_util | get_placeholders
nn.contrib.model_variables | contrib.framework.python.framework.tensor_util | reduce_sum_n
nn.distributions.skewed | contrib.distributions.python.ops.distribution_util | broadcast_shape=get_broadcast_shape
nn.recurrent.normed_cells | contrib.rnn.python.ops.rnn_cell | CFNCell LayerNormLSTMCell MinimalRNNCell
    WeightNormLSTMCell
nn.recurrent.turing | contrib.rnn.python.ops.rnn_cell | NTMCell NTMControllerState
nn.recurrent.blocks | contrib.rnn.python.ops.lstm_ops | block_lstm=_block_lstm
nn.contrib.older_summaries | contrib.deprecated | scalar_summary histogram_summary image_summary audio_summary
    merge_summary merge_all_summaries
keras.average_losses | nn | compute_average_loss scale_regularization_loss
nn.recurrent.cudnn_cells | contrib.cudnn_rnn contrib.cudnn_rnn.python.ops.cudnn_rnn_ops | CudnnCompatibleLSTMCell
    CudnnCompatibleGRUCell
nn.distributions.moving_statistics | contrib.distributions | SeedStream assign_moving_mean_variance
    assign_log_moving_mean_exp moving_mean_variance
keras.exported_models | keras.experimental python.keras.saving.saved_model_experimental | export_saved_model
    load_from_saved_model
keras.exported_models | contrib.saved_model | export_saved_model=save_keras_model
    load_from_saved_model=load_keras_model
nn.image.colors | contrib.image.python.ops.distort_image_ops | adjust_hsv_in_yiq random_hsv_in_yiq
nn.recurrent.cudnn_networks | contrib.cudnn_rnn.python.ops.cudnn_rnn_ops | CudnnLSTM CudnnGRU CudnnRNNTanh
    CudnnRNNRelu cudnn_lstm cudnn_gru cudnn_rnn_tanh cudnn_rnn_relu cudnn_rnn_opaque_params_size
    cudnn_rnn_opaque_params_to_canonical cudnn_rnn_canonical_to_opaque_params check_direction check_input_mode
    CUDNN_RNN_UNIDIRECTION CUDNN_RNN_BIDIRECTION CUDNN_LSTM CUDNN_GRU CUDNN_RNN_RELU CUDNN_RNN_TANH
    CUDNN_INPUT_LINEAR_MODE CUDNN_INPUT_SKIP_MODE CUDNN_INPUT_AUTO_MODE CUDNN_LSTM_PARAMS_PER_LAYER
    CUDNN_GRU_PARAMS_PER_LAYER CUDNN_RNN_TANH_PARAMS_PER_LAYER CUDNN_RNN_RELU_PARAMS_PER_LAYER _cudnn_rnn
    _cudnn_rnn_no_input_c
"""

serve(SERVED)
