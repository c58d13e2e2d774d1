"""Where the names of ``tf.compat.v2`` come from, and names that libraries read of inner modules."""

from faces_of_contrib import HIDDEN, serve
from faces_table import EXTRA, LAZY, RENAMED, words

HIDDEN.update(
    {
        ("retrograd.nn.second", "*"),
        ("retrograd.nn.second_networks", "*"),
        ("retrograd.nn.second_sparse", "*"),
        ("retrograd.state.second_initializers", "*"),
        ("retrograd.graph.inherited", "*"),
    }
)
_PUBLIC = """
: convert_to_tensor shape size zeros_like ones_like expand_dims squeeze transpose pad gather gather_nd boolean_mask
 reverse_sequence argmax argmin reduce_sum reduce_mean reduce_prod reduce_max reduce_min reduce_logsumexp reduce_all
 reduce_any norm scalar_mul cond case while_loop tuple_ gradients device assert_equal assert_greater assert_less
 assert_rank
math: argmax argmin in_top_k l2_normalize count_nonzero reduce_sum reduce_mean reduce_prod reduce_max reduce_min
 reduce_logsumexp reduce_all reduce_any scalar_mul softmax log_softmax
linalg: norm l2_normalize
nn: softmax log_softmax l2_normalize in_top_k softmax_cross_entropy_with_logits
 sparse_softmax_cross_entropy_with_logits sigmoid_cross_entropy_with_logits
random: set_seed
math: confusion_matrix
image: crop_and_resize draw_bounding_boxes extract_glimpse sample_distorted_bounding_box
strings: substr string_to_hash_bucket=to_hash_bucket string_to_number=to_number
debugging: assert_equal assert_none_equal assert_less assert_less_equal assert_greater assert_greater_equal
 assert_positive assert_negative assert_non_negative assert_non_positive assert_near assert_rank assert_rank_at_least
 assert_rank_in assert_scalar assert_integer assert_type assert_all_finite
"""
for _line in _PUBLIC.replace("\n ", " ").strip().splitlines():
    _module, _names = _line.split(":")
    for _name in words(_names):
        _ours, _, _theirs = _name.partition("=")
        RENAMED[f"compat.v2.{_module}".rstrip("."), _theirs or _ours.rstrip("_")] = f"retrograd.nn.second:{_ours}"
_INNER = """
array_ops: expand_dims shape size boolean_mask transpose zeros_like ones_like squeeze reverse_sequence gather gather_nd
 pad
check_ops: assert_equal assert_none_equal assert_less assert_less_equal assert_greater assert_greater_equal
 assert_positive assert_negative assert_non_negative assert_non_positive assert_near assert_rank assert_rank_at_least
 assert_rank_in assert_scalar assert_integer assert_type
control_flow_ops: while_loop tuple_ case cond_for_tf=cond
gradients_impl: gradients
math_ops: argmax argmin scalar_mul count_nonzero
nn: in_top_k
nn_impl: sigmoid_cross_entropy_with_logits
nn_ops: sparse_softmax_cross_entropy_with_logits
numerics: verify_tensor_all_finite=assert_all_finite
"""
for _line in _INNER.replace("\n ", " ").strip().splitlines():
    _module, _names = _line.split(":")
    for _name in words(_names):
        _theirs, _, _ours = _name.partition("=")
        RENAMED[f"python.ops.{_module}", f"{_theirs.rstrip('_')}_v2"] = f"retrograd.nn.second:{_ours or _name}"
for _name in words("sum mean prod max min all any"):
    RENAMED["python.ops.math_ops", f"reduce_{_name}"] = f"retrograd.nn.second:reduce_{_name}"
for _name in words("bitwise_and bitwise_or bitwise_xor invert left_shift right_shift"):
    RENAMED["python.ops.gen_bitwise_ops", _name] = "retrograd.ragged.dispatching:"
for _module in ("", "compat.v2", "python.ops.math_ops"):
    RENAMED[_module, "realdiv"] = "retrograd.ragged.dispatching:real_div"
RENAMED["python.ops.string_ops", "substr_v2"] = "retrograd.nn.second:substr"
for _name in words("substr string_to_hash_bucket string_to_number unicode_script"):
    RENAMED["python.ops.string_ops", _name] = f"retrograd.ragged.dispatching:{_name}"
RENAMED["strings", "substr"] = "retrograd.ragged.dispatching:"
for _module in ("strings", "compat.v2.strings"):
    RENAMED[_module, "unicode_script"] = "retrograd.ragged.dispatching:"
_INITIALIZERS = "python.ops.init_ops_v2 compat.v2.keras.initializers"
SERVED = f"""
state.second_initializers | {_INITIALIZERS} | Constant Constant=constant GlorotNormal GlorotNormal=glorot_normal
    GlorotUniform GlorotUniform=glorot_uniform Identity Identity=identity Initializer Ones Ones=ones Orthogonal
    Orthogonal=orthogonal RandomNormal RandomUniform TruncatedNormal VarianceScaling Zeros Zeros=zeros he_normal
    he_uniform lecun_normal lecun_uniform
state.second_initializers | python.ops.init_ops_v2 | GlorotNormal=glorot_normal_initializer
    GlorotUniform=glorot_uniform_initializer Identity=identity_initializer Orthogonal=orthogonal_initializer
    TruncatedNormal=truncated_normal_initializer TruncatedNormal=truncated_normal
    VarianceScaling=variance_scaling_initializer RandomNormal=normal RandomNormal=random_normal Ones=one Zeros=zero
    RandomUniform=uniform RandomUniform=random_uniform
state.second_initializers | python.ops.init_ops_v2 compat.v2 | Constant=constant_initializer Ones=ones_initializer
    RandomNormal=random_normal_initializer RandomUniform=random_uniform_initializer Zeros=zeros_initializer
nn.second_networks | compat.v2.nn | avg_pool2d batch_norm_with_global_normalization conv1d conv2d conv3d convolution
    crelu depth_to_space depthwise_conv2d dilation2d erosion2d max_pool_with_argmax pool separable_conv2d space_to_batch
    space_to_depth sufficient_statistics weighted_cross_entropy_with_logits weighted_moments
nn.second_networks | compat.v2 | space_to_batch batch_to_space
nn.second_sparse | compat.v2.sparse | add concat reduce_max reduce_sum segment_mean segment_sqrt_n segment_sum split
nn.second_sparse | compat.v2.strings | length
graph.scopes | compat.v2 | name_scope_v2=name_scope
keras.backend_state | compat.v2.keras.backend | name_scope_=name_scope
ops.shape_checks | compat.v2.debugging | assert_shapes
ops.strings | compat.v2.strings | reduce_join_v2=reduce_join
ops.decoding | compat.v2.io | decode_csv_v2=decode_csv decode_raw
ops.parsing | compat.v2.io | parse_example_v2=parse_example parse_single_example_v2_unoptimized=parse_single_example
state.variables | compat.v2 | variable_creator_scope
feature_column.categorical | compat.v2.feature_column | categorical_column_with_hash_bucket
    categorical_column_with_identity categorical_column_with_vocabulary_list
    categorical_column_with_vocabulary_file_v2=categorical_column_with_vocabulary_file
feature_column.combining | compat.v2.feature_column | crossed_column weighted_categorical_column
feature_column.dense_categories | compat.v2.feature_column | embedding_column indicator_column shared_embeddings
feature_column.numeric | compat.v2.feature_column | bucketized_column numeric_column
feature_column.protocol | compat.v2.feature_column | make_parse_example_spec_v2=make_parse_example_spec
feature_column.sequence | compat.v2.feature_column | sequence_categorical_column_with_hash_bucket
    sequence_categorical_column_with_identity sequence_categorical_column_with_vocabulary_file
    sequence_categorical_column_with_vocabulary_list sequence_numeric_column
ops.comparison | compat.v2 | where_v2=where
ops.constants | compat.v2 | constant_v2=constant
ops.variates | compat.v2.random | random_poisson_v2=poisson
nn.moments | compat.v2.nn | moments_v2=moments
nn.dropout | compat.v2.nn | dropout_v2=dropout
state.variables | compat.v2 | VariableV2=Variable
ops.uniqueness | compat.v2.math | bincount
nn.second | python.ops.standard_ops | reduce_sum reduce_mean reduce_prod reduce_max reduce_min reduce_logsumexp
    reduce_all reduce_any string_to_hash_bucket string_to_number pad=pad_v2
nn.second | python.ops.math_ops | reduce_logsumexp
nn.second | python.ops.confusion_matrix | confusion_matrix
graph.module_names | python.util.all_util | make_all remove_undocumented reveal_undocumented
graph.nest | python.util.nest | _is_namedtuple
graph.module_names | python.util.lazy_loader | LazyLoader
graph.exported_names | python.util.tf_export | api_export tf_export keras_export estimator_export
    InvalidSymbolNameError SymbolAlreadyExposedError
nn.seq2seq.attention | contrib.seq2seq.python.ops.attention_wrapper | _BaseAttentionMechanism
    _BaseMonotonicAttentionMechanism _luong_score _bahdanau_score _monotonic_probability_fn
    masked_memory=_prepare_memory masked_score=_maybe_mask_score
nn.seq2seq.attention_wrapper | contrib.seq2seq.python.ops.attention_wrapper | _compute_attention
nn.seq2seq.beam_search | contrib.seq2seq.python.ops.beam_search_decoder | check_batch_beam=_check_batch_beam
    check_static_batch_beam_maybe=_check_static_batch_beam_maybe
nn.seq2seq.beam_steps | contrib.seq2seq.python.ops.beam_search_decoder | beam_search_step=_beam_search_step
    get_scores=_get_scores length_penalty=_length_penalty mask_probs=_mask_probs known_rank=_check_ndims
    tensor_gather_helper=_tensor_gather_helper maybe_tensor_gather_helper=_maybe_tensor_gather_helper
    get_attention_probs attention_probs_from_attn_state BeamSearchDecoderOutput BeamSearchDecoderState
nn.rnn_cells | contrib.seq2seq.python.ops.attention_wrapper contrib.seq2seq.python.ops.decoder |
    zero_states=_zero_state_tensors
nn.rnn | contrib.seq2seq.python.ops.decoder contrib.seq2seq.python.ops.helper |
    transpose_batch_time=_transpose_batch_time
nn.seq2seq.decoding | contrib.seq2seq.python.ops.decoder | zero_outputs=_create_zero_outputs
nn.seq2seq.helpers | contrib.seq2seq.python.ops.helper | as_steps=_unstack_ta
sessions.debuggers | python.debug | has_inf_or_nan DumpingDebugHook DumpingDebugWrapperSession GrpcDebugHook
    GrpcDebugWrapperSession LocalCLIDebugHook LocalCLIDebugWrapperSession TensorBoardDebugHook
    TensorBoardDebugWrapperSession
graph.inherited | python.autograph.pyct.transformer | Base
nn.layers.nodes | python.keras.utils.tf_utils | register_symbolic_tensor_type
train.training_util | contrib.slim | assert_global_step create_global_step get_global_step get_or_create_global_step
ops.sets | contrib.metrics.python.ops.set_ops | set_difference set_intersection set_size set_union
nn.rnn_cells | python.ops.rnn_cell_impl python.ops.rnn | joined_sizes=_concat
ops.constants | python.framework.constant_op | from_tensor_shape=_tensor_shape_tensor_conversion_function
"""
serve(SERVED)
EXTRA["contrib.learn.python.learn.datasets.mnist"] += "\nfrom retrograd.io.mnist import load_mnist"
LAZY.setdefault("compat.v2", {}).update(
    dict.fromkeys(words("losses metrics optimizers initializers"), "retrograd.tf.compat.v2.keras")
)
LAZY["compat.v2"]["raw_ops"] = "retrograd.tf"
# what version 1 holds under the same name
_SAME = """
audio: decode_wav encode_wav
autograph.experimental: Feature do_not_convert set_loop_options
lookup: StaticHashTable StaticVocabularyTable
lookup.experimental: DenseHashTable
saved_model: contains_saved_model
train.experimental: disable_mixed_precision_graph_rewrite enable_mixed_precision_graph_rewrite
"""
for _line in _SAME.strip().splitlines():
    _module, _names = _line.split(":")
    LAZY.setdefault(f"compat.v2.{_module}", {}).update(dict.fromkeys(words(_names), f"retrograd.tf.{_module}"))
LAZY["compat.v2.saved_model"].update(
    {
        name: f"retrograd.tf.saved_model.{part}_constants" if part else "retrograd.tf.saved_model.constants"
        for part, names in (
            (
                "",
                "ASSETS_DIRECTORY ASSETS_KEY SAVED_MODEL_FILENAME_PB SAVED_MODEL_FILENAME_PBTXT "
                "SAVED_MODEL_SCHEMA_VERSION VARIABLES_DIRECTORY VARIABLES_FILENAME",
            ),
            ("tag", "GPU SERVING TPU TRAINING"),
            (
                "signature",
                "CLASSIFY_INPUTS CLASSIFY_METHOD_NAME CLASSIFY_OUTPUT_CLASSES CLASSIFY_OUTPUT_SCORES "
                "DEFAULT_SERVING_SIGNATURE_DEF_KEY PREDICT_INPUTS PREDICT_METHOD_NAME PREDICT_OUTPUTS "
                "REGRESS_INPUTS REGRESS_METHOD_NAME REGRESS_OUTPUTS",
            ),
        )
        for name in names.split()
    }
)
LAZY.setdefault("compat.v2.keras", {}).update(dict.fromkeys(words("metrics optimizers"), "retrograd.tf.keras"))
# forks of tf.contrib.seq2seq read what is private there, beside what is public
for _name in words("attention_wrapper decoder helper"):
    EXTRA[f"contrib.seq2seq.python.ops.{_name}"] = "from retrograd.tf.contrib.seq2seq import *"
