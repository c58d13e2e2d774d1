"""Public functions that no row differentiates, and why: patterns of their names, as ``fnmatch`` reads them."""

from __future__ import annotations

WITHOUT: dict[str, str] = {
    "its values and slopes are recorded: test_layers, test_contrib, test_further, test_rarer": """
        compat.v2.feature_column.* contrib.distributions.assign_log_moving_mean_exp
        contrib.distributions.assign_moving_mean_variance contrib.distributions.moving_mean_variance
        contrib.distributions.normal_conjugates_* contrib.distributions.quadrature_scheme_*
        contrib.factorization.gmm contrib.feature_column.* contrib.framework.add_model_variable
        contrib.framework.assign_from_checkpoint contrib.framework.assign_from_checkpoint_fn
        contrib.framework.assign_from_values contrib.framework.assign_from_values_fn
        contrib.framework.create_global_step contrib.framework.deprecated
        contrib.framework.deprecated_arg_values contrib.framework.deprecated_args contrib.framework.fuse_op
        contrib.framework.get_global_step contrib.framework.get_graph_from_inputs
        contrib.framework.get_or_create_global_step contrib.framework.get_placeholders
        contrib.framework.get_unique_variable contrib.framework.get_variable_full_name
        contrib.framework.get_variables_by_name contrib.framework.get_variables_by_suffix
        contrib.framework.get_variables_to_restore contrib.framework.global_variable
        contrib.framework.init_from_checkpoint contrib.framework.local_variable contrib.framework.model_variable
        contrib.framework.smart_constant_value contrib.framework.variable contrib.integrate.odeint
        contrib.labeled_tensor.* contrib.layers.bow_encoder contrib.layers.bucketized_column
        contrib.layers.check_feature_columns contrib.layers.create_feature_spec_for_parsing
        contrib.layers.crossed_column contrib.layers.dense_to_sparse contrib.layers.embed_sequence
        contrib.layers.embedding_column contrib.layers.infer_real_valued_columns
        contrib.layers.input_from_feature_columns contrib.layers.joint_weighted_sum_from_feature_columns
        contrib.layers.l1_l2_regularizer contrib.layers.l1_regularizer contrib.layers.l2_regularizer
        contrib.layers.make_place_holder_tensors_for_base_features contrib.layers.multi_class_target
        contrib.layers.one_hot_column contrib.layers.one_hot_encoding contrib.layers.optimize_loss
        contrib.layers.real_valued_column contrib.layers.recompute_grad contrib.layers.regression_target
        contrib.layers.rev_block contrib.layers.scattered_embedding_column
        contrib.layers.sequence_input_from_feature_columns contrib.layers.shared_embedding_columns
        contrib.layers.sum_regularizer contrib.layers.transform_features
        contrib.layers.weighted_sum_from_feature_columns contrib.legacy_seq2seq.embedding_attention_decoder
        contrib.legacy_seq2seq.embedding_attention_seq2seq contrib.legacy_seq2seq.embedding_rnn_decoder
        contrib.legacy_seq2seq.embedding_rnn_seq2seq contrib.legacy_seq2seq.embedding_tied_rnn_seq2seq
        contrib.legacy_seq2seq.model_with_buckets contrib.legacy_seq2seq.one2many_rnn_seq2seq
        contrib.losses.get_* contrib.nn.rank_sampled_softmax_loss contrib.opt.extend_with_decoupled_weight_decay
        contrib.slim.adaptive_clipping_fn contrib.slim.add_model_variable contrib.slim.assign_from_checkpoint
        contrib.slim.assign_from_checkpoint_fn contrib.slim.assign_from_values
        contrib.slim.assign_from_values_fn contrib.slim.binary_svm_target contrib.slim.bow_encoder
        contrib.slim.bucketized_column contrib.slim.check_feature_columns
        contrib.slim.create_feature_spec_for_parsing contrib.slim.create_global_step contrib.slim.crossed_column
        contrib.slim.dense_to_sparse contrib.slim.deprecated contrib.slim.deprecated_arg_values
        contrib.slim.embed_sequence contrib.slim.embedding_column contrib.slim.experimental
        contrib.slim.get_default_binary_metrics_for_eval contrib.slim.get_global_step
        contrib.slim.get_or_create_global_step contrib.slim.get_unique_variable
        contrib.slim.get_variable_full_name contrib.slim.get_variables_by_name
        contrib.slim.get_variables_by_suffix contrib.slim.get_variables_to_restore contrib.slim.global_variable
        contrib.slim.infer_real_valued_columns contrib.slim.input_from_feature_columns
        contrib.slim.joint_weighted_sum_from_feature_columns contrib.slim.l1_l2_regularizer
        contrib.slim.l1_regularizer contrib.slim.l2_regularizer contrib.slim.local_variable
        contrib.slim.make_all contrib.slim.make_place_holder_tensors_for_base_features
        contrib.slim.model_variable contrib.slim.multi_class_target contrib.slim.one_hot_column
        contrib.slim.one_hot_encoding contrib.slim.optimize_loss contrib.slim.real_valued_column
        contrib.slim.recompute_grad contrib.slim.regression_target contrib.slim.rev_block
        contrib.slim.scattered_embedding_column contrib.slim.scattered_embedding_lookup
        contrib.slim.scattered_embedding_lookup_sparse contrib.slim.sequence_input_from_feature_columns
        contrib.slim.shared_embedding_columns contrib.slim.sum_regularizer contrib.slim.transform_features
        contrib.slim.variable contrib.slim.weighted_sum_from_feature_columns custom_gradient feature_column.*
        function grad_pass_through keras.backend.conv3d keras.metrics.binary_accuracy
        keras.metrics.categorical_accuracy keras.metrics.top_k_categorical_accuracy linalg.lu losses.get_*
        nn.static_state_saving_rnn ragged.constant ragged.constant_value ragged.range
        ragged.row_splits_to_segment_ids ragged.segment_ids_to_row_splits recompute_grad switch_case
        verify_tensor_all_finite wrap_function
    """,
    "no number comes in, or none goes out": """
        *.eye *.ones* *.random_* *_like *arg_max *arg_min *argmax *argmin *assert_* *broadcast_dynamic_shape
        *broadcast_static_shape *bucketize *confusion_matrix *count_nonzero *edit_distance *equal *gather_tree
        *greater *greater_equal *hardmax *in_top_k *less *less_equal *matrix_rank *multinomial *one_hot
        *placeholder *quantize* *reduce_all *reduce_any *reduce_join *required_space* *searchsorted
        *sequence_mask *shape *shape_n *size *stop_gradient *timestamp *to_int32 *to_int64 *truncated_normal
        *unravel_index *zero_fraction *zeros* Assert argsort as_dtype as_string audio.* bincount bitcast
        bitwise.* compat.v2.image.*bounding_box* compat.v2.random.* contrib.crf.viterbi_decode
        contrib.image.bipartite_match contrib.image.connected_components contrib.nearest_neighbor.*
        contrib.rnn.best_effort_input_batch_size contrib.text.* decode_* encode_base64 eye fingerprint floordiv
        histogram_fixed_width* image.*bounding_box* image.*encode_* image.*jpeg_quality
        image.*non_max_suppression* invert_permutation is_* keras.backend.all keras.backend.any
        keras.backend.arange keras.backend.constant keras.backend.count_params keras.backend.ctc_decode
        keras.backend.ctc_label_dense_to_sparse keras.backend.dtype keras.backend.eye keras.backend.is_sparse
        keras.backend.ndim logical_* nn.*candidate_sampler nn.collapse_repeated nn.compute_accidental_hits
        nn.ctc_beam_search_decoder nn.ctc_beam_search_decoder_v2 nn.ctc_greedy_decoder nn.ctc_unique_labels
        ones* random.* random_* range rank sets.* signal.*window* signal.linear_to_mel_weight_matrix truncatediv
        user_ops.my_fact
    """,
    "TensorFlow has no gradient of it": """
        *print compat.v2.image.extract_glimpse compat.v2.sparse.concat compat.v2.sparse.reduce_max
        compat.v2.sparse.split image.extract_glimpse linspace math.reduce_euclidean_norm parallel_stack
        sparse_concat sparse_matmul sparse_merge sparse_to_indicator to_bfloat16 to_complex64
    """,
    "text, files, protos and what is read from them": """
        *.load* *decode_* *matching_files *parse_* *read* *serialize* *string* *summar* *write* compat.as_*
        compat.path_to_str compat.v2.strings.* contrib.predictor.* contrib.saved_model.* gfile.* io.*
        keras.datasets.imdb.get_word_index keras.datasets.reuters.get_word_index keras.models.*
        keras.preprocessing.* keras.utils.* load_* make_ndarray make_tensor_proto regex_* resource_loader.*
        saved_model.* substr summary.*
    """,
    "it works on graphs, variables, sessions, devices or settings": """
        *_initializer *_variables *convert_to_tensor* *initializers.* *partitioner *py_func* *scatter_* *scope*
        *set_seed NoGradient add_* app.* assign* autograph.* colocate_with compat.forward* compat.v2.autograph.*
        compat.v2.constant compat.v2.device config.* constant container contrib.batching.* contrib.checkpoint.*
        contrib.constrained_optimization.* contrib.copy_graph.* contrib.deprecated.* contrib.distribute.*
        contrib.graph_editor.* contrib.grid_rnn.namedtuple contrib.losses.add_loss contrib.memory_stats.*
        contrib.model_pruning.apply_mask contrib.model_pruning.get_masked_weights
        contrib.model_pruning.get_masks contrib.model_pruning.get_pruning_hparams
        contrib.model_pruning.get_thresholds contrib.model_pruning.get_weight_sparsity
        contrib.model_pruning.get_weights contrib.model_pruning.graph_def_from_checkpoint
        contrib.model_pruning.masked_conv2d contrib.model_pruning.masked_fully_connected
        contrib.model_pruning.strip_pruning_vars_fn contrib.model_pruning.train contrib.quantize.* contrib.tpu.*
        contrib.training.batch_sequences_with_states contrib.training.bucket
        contrib.training.bucket_by_sequence_length contrib.training.byte_size_load_fn
        contrib.training.checkpoints_iterator contrib.training.clip_gradient_norms_fn
        contrib.training.create_train_op contrib.training.evaluate_once contrib.training.evaluate_repeatedly
        contrib.training.get_or_create_eval_step contrib.training.rejection_sample
        contrib.training.resample_at_rate contrib.training.stratified_sample contrib.training.train
        contrib.training.wait_for_new_checkpoint contrib.training.weighted_resample contrib.util.* control_*
        count_up_to debugging.* delete_session_tensor device dimension_* disable_* distribute.* enable_*
        errors.* executing_eagerly experimental.* flags.* get_* graph_util.* group import_graph_def init_scope
        initialize_* keras.*.get keras.*serialize keras.Input keras.backend.backend
        keras.backend.batch_get_value keras.backend.batch_set_value keras.backend.cast_to_floatx
        keras.backend.clear_session keras.backend.epsilon keras.backend.eval keras.backend.floatx
        keras.backend.function keras.backend.get_session keras.backend.get_uid keras.backend.get_value
        keras.backend.image_data_format keras.backend.learning_phase
        keras.backend.manual_variable_initialization keras.backend.moving_average_update
        keras.backend.reset_uids keras.backend.set_epsilon keras.backend.set_floatx
        keras.backend.set_image_data_format keras.backend.set_learning_phase keras.backend.set_session
        keras.backend.set_value keras.backend.update keras.backend.update_add keras.backend.update_sub
        keras.backend.variable keras.experimental.* keras.mixed_precision.* keras.regularizers.*
        layers.experimental.* logging.* losses.add_loss make_template moving_average_variables nest.* no_op
        no_regularizer numpy_function op_scope profiler.* register_* report_* reset_* resource_variables_enabled
        set_random_seed sysconfig.* tables_initializer test.* train.MonitoredTrainingSession
        train.NewCheckpointReader train.add_queue_runner train.basic_train_loop train.batch train.batch_join
        train.checkpoint_exists train.checkpoints_iterator train.create_global_step train.export_meta_graph
        train.generate_checkpoint_state_proto train.get_checkpoint_mtimes train.get_checkpoint_state
        train.get_global_step train.get_or_create_global_step train.global_step train.import_meta_graph
        train.init_from_checkpoint train.input_producer train.latest_checkpoint train.limit_epochs
        train.maybe_batch train.maybe_batch_join train.maybe_shuffle_batch train.maybe_shuffle_batch_join
        train.queue_runner.start_queue_runners train.range_input_producer train.remove_checkpoint
        train.replica_device_setter train.sdca_optimizer train.sdca_shrink_l1 train.shuffle_batch
        train.shuffle_batch_join train.slice_input_producer train.update_checkpoint_state train.warm_start
        variable_creator_scope xla.*
    """,
    "inputs of programs, and estimators": """
        *data.* contrib.distributions.estimator_* contrib.estimator.* contrib.input_pipeline.* contrib.learn.*
        contrib.libsvm.* contrib.lookup.* contrib.metrics.accuracy contrib.metrics.aggregate_metric_map
        contrib.metrics.aggregate_metrics contrib.metrics.auc_using_histogram
        contrib.metrics.auc_with_confidence_intervals contrib.metrics.cohen_kappa contrib.metrics.count
        contrib.metrics.f1_score contrib.metrics.precision_at_recall
        contrib.metrics.precision_recall_at_equal_thresholds contrib.metrics.recall_at_precision
        contrib.metrics.streaming_concat contrib.metrics.streaming_covariance
        contrib.metrics.streaming_curve_points contrib.metrics.streaming_dynamic_auc
        contrib.metrics.streaming_false_negative_rate
        contrib.metrics.streaming_false_negative_rate_at_thresholds
        contrib.metrics.streaming_false_negatives_at_thresholds contrib.metrics.streaming_false_positive_rate
        contrib.metrics.streaming_false_positive_rate_at_thresholds
        contrib.metrics.streaming_mean_cosine_distance contrib.metrics.streaming_pearson_correlation
        contrib.metrics.streaming_recall_at_k contrib.timeseries.* estimator.* keras.estimator.*
        metrics.accuracy metrics.auc metrics.false_negatives metrics.false_negatives_at_thresholds metrics.mean
        metrics.mean_absolute_error metrics.mean_cosine_distance metrics.mean_iou
        metrics.mean_per_class_accuracy metrics.mean_relative_error metrics.mean_squared_error
        metrics.mean_tensor metrics.percentage_below metrics.precision metrics.precision_at_thresholds
        metrics.precision_at_top_k metrics.recall metrics.recall_at_k metrics.recall_at_thresholds
        metrics.recall_at_top_k metrics.root_mean_squared_error metrics.sensitivity_at_specificity
        metrics.specificity_at_sensitivity sparse.cross*
    """,
    "whole networks, recorded in test_keras_sizes": """
        keras.applications.DenseNet121 keras.applications.InceptionResNetV2 keras.applications.InceptionV3
        keras.applications.MobileNet keras.applications.MobileNetV2 keras.applications.NASNetLarge
        keras.applications.NASNetMobile keras.applications.ResNet50 keras.applications.VGG16
        keras.applications.VGG19 keras.applications.Xception
    """,
    "TensorFlow keeps what it subtracts in the first graph of a process": """
        keras.applications.densenet.preprocess_input keras.applications.vgg16.preprocess_input
    """,
}
