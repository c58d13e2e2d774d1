"""Of what kind the attributes are that an op must be given, which no default tells.

A fact of TensorFlow 1.15.5's ops: an attribute of one name has one kind in all of them.
"""

_NAMES = {
    "bool": """
        batched_input has_known_shape hashed_output preserve_short_sequences scale_after_normalization unique
        use_peephole
    """,
    "float": "l1 l2 variance_epsilon",
    "func": """
        body cond dataset_factory else_branch f finalize_func init_func key_func next_func predicate reduce_func
        then_branch window_size_func
    """,
    "int": """
        batch_timeout_micros block_size component_index concat_dim hash_key input_ragged_rank k key_index limit
        logits_dimension max_batch_size max_splits new_vocab_offset num_batch_threads num_buckets num_cols
        num_elements_per_branch num_experiments num_inner_iterations num_loss_partitions num_new_vocab num_rows
        num_sampled num_threads num_true pad_width pruning_mode range_max record_bytes seq_dim value_index
    """,
    "list(float)": "boundaries pooling_ratio unigrams",
    "list(func)": "branches",
    "list(int)": """
        allowed_batch_sizes explicit_paddings key ksize ksizes ngram_widths other_arguments_lengths rates
        select_cols squeeze_dims strides
    """,
    "list(shape)": "context_dense_shapes dense_shapes feature_list_dense_shapes output_shapes shapes",
    "list(string)": """
        context_dense_keys context_sparse_keys dense_keys devices feature_list_dense_keys
        feature_list_dense_missing_assumed_empty feature_list_sparse_keys field_names optimization_configs
        sparse_keys
    """,
    "list(type)": "component_types dtypes output_types sparse_types",
    "shape": "shape",
    "string": """
        container display_name equation file_pattern frame_name input_encoding left_pad loss_type message
        message_type mode output_encoding padding pattern rewrite right_pad separator set_operation shared_name
        source token var_name
    """,
    "tensor": "value",
    "type": "T dtype elem_type element_dtype internal_type key_dtype value_dtype",
}
KINDS = {name: kind for kind, names in _NAMES.items() for name in names.split()}
