"""Public functions that no row differentiates, and why: patterns of their names, as ``fnmatch`` reads them."""

from __future__ import annotations

WITHOUT: dict[str, str] = {
    "its values and slopes are recorded: test_layers, test_contrib, test_further, test_rarer": """
        compat.v2.feature_column.* contrib.distributions.*moving_* contrib.distributions.normal_conjugates_*
        contrib.distributions.quadrature_scheme_* contrib.factorization.gmm contrib.feature_column.*
        contrib.framework.* contrib.integrate.odeint contrib.labeled_tensor.* contrib.layers.*
        contrib.legacy_seq2seq.* contrib.losses.get_* contrib.nn.*_softmax_loss contrib.opt.* contrib.slim.*
        custom_gradient feature_column.* function grad_pass_through keras.backend.conv3d keras.metrics.*
        linalg.lu losses.get_* nn.static_state_saving_rnn ragged.* recompute_grad switch_case
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
        contrib.rnn.best_effort_input_batch_size contrib.text.* decode_* encode_base64 eye fingerprint
        floordiv histogram_fixed_width* image.*bounding_box* image.*encode_* image.*jpeg_quality
        image.*non_max_suppression* invert_permutation is_* keras.backend.a* keras.backend.ctc_*
        keras.backend.eye logical_* math.reduce_euclidean_norm nn.*_decoder nn.*_decoder_v2
        nn.*candidate_sampler nn.collapse_repeated nn.compute_accidental_hits nn.ctc_unique_labels ones*
        random.* random_* range rank sets.* signal.*window* signal.linear_to_mel_weight_matrix truncatediv
        user_ops.my_fact
    """,
    "TensorFlow has no gradient of it": """
        *print compat.v2.image.extract_glimpse compat.v2.sparse.concat compat.v2.sparse.reduce_max
        compat.v2.sparse.split image.extract_glimpse linspace parallel_stack sparse_concat sparse_matmul
        sparse_merge sparse_to_indicator to_bfloat16 to_complex64
    """,
    "text, files, protos and what is read from them": """
        *.load* *decode_* *matching_files *parse_* *read* *serialize* *string* *summar* *write* compat.as_*
        compat.path_to_str compat.v2.strings.* contrib.predictor.* contrib.saved_model.* gfile.* io.*
        keras.datasets.* keras.models.* keras.preprocessing.* keras.utils.* load_* make_ndarray
        make_tensor_proto regex_* resource_loader.* saved_model.* substr summary.*
    """,
    "it works on graphs, variables, sessions, devices or settings": """
        *_initializer *_variables *convert_to_tensor* *initializers.* *partitioner *py_func* *scatter_*
        *scope* *set_seed NoGradient add_* app.* assign* autograph.* colocate_with compat.forward*
        compat.v2.autograph.* compat.v2.constant compat.v2.device config.* constant container contrib.batching.*
        contrib.checkpoint.* contrib.constrained_optimization.* contrib.copy_graph.* contrib.deprecated.*
        contrib.distribute.* contrib.eager.* contrib.graph_editor.* contrib.grid_rnn.namedtuple
        contrib.losses.add_loss contrib.memory_stats.* contrib.model_pruning.* contrib.quantize.*
        contrib.tpu.* contrib.training.* contrib.util.* control_* count_up_to debugging.*
        delete_session_tensor device dimension_* disable_* distribute.* enable_* errors.* executing_eagerly
        experimental.* flags.* get_* graph_util.* group import_graph_def init_scope initialize_* keras.*.get
        keras.*serialize keras.Input keras.backend.* keras.experimental.* keras.mixed_precision.*
        keras.regularizers.* layers.experimental.* logging.* losses.add_loss make_template
        moving_average_variables nest.* no_op no_regularizer numpy_function op_scope profiler.* register_*
        report_* reset_* resource_variables_enabled set_random_seed sysconfig.* tables_initializer test.*
        train.* variable_creator_scope xla.*
    """,
    "inputs of programs, and estimators": """
        *data.* compat.v2.keras.* contrib.distributions.estimator_* contrib.estimator.*
        contrib.input_pipeline.* contrib.learn.* contrib.libsvm.* contrib.lookup.* contrib.metrics.*
        contrib.timeseries.* estimator.* keras.estimator.* metrics.* sparse.cross*
    """,
}
