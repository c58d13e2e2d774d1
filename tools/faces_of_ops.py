"""Where names of ops, graphs and variables come from; see ``faces_of_contrib``."""

from faces_of_contrib import HIDDEN, serve
from faces_table import RENAMED

SERVED = """
graph.shapes | python.framework.tensor_shape | scalar
ops.state | python.ops.state_ops | init_variable
ops.collectives | python.ops.collective_ops | all_reduce all_gather broadcast_send broadcast_recv
ops.collectives | python.ops.gen_collective_ops | collective_reduce collective_gather collective_bcast_send
    collective_bcast_recv
ops.collectives | python.ops.gen_nccl_ops | nccl_all_reduce nccl_reduce nccl_broadcast
graph.stack_frames | python.util.tf_stack flags.tf_decorator.tf_stack | CurrentModuleFilter StackFrame StackTraceFilter
    StackTraceMapper StackTraceTransform TB_CODEDICT TB_FILENAME TB_FUNCNAME TB_LINENO convert_stack extract_stack
graph.modes | python.framework.ops | inside_function
graph.convert | python.framework.ops | get_graph_from_inputs=_get_graph_from_inputs
grad.known_rules | python.framework.ops | gradient_registry=_gradient_registry
graph.devices | compat.v2 | DeviceSpec
ops.fractional_pooling | nn python.ops.nn_ops | fractional_avg_pool fractional_max_pool
ops.fractional_pooling | python.ops.nn_ops | fractional_avg_pool_v2 fractional_max_pool_v2
ops.fractional_pooling | compat.v2.nn | fractional_avg_pool_v2=fractional_avg_pool
    fractional_max_pool_v2=fractional_max_pool
ops.quantized | - quantization python.ops.array_ops | quantize dequantize quantized_concat
ops.quantized | - python.ops.array_ops | quantize_v2
ops.cases | contrib.framework python.framework.smart_cond | smart_case
graph.deprecation | contrib.framework contrib.slim python.util.deprecation | deprecated_arg_values
graph.deprecation | contrib.slim contrib.framework.python.framework.experimental | experimental
graph.convert | contrib.framework contrib.framework.python.ops.ops | get_graph_from_inputs
nn.contrib.sparse_ids | contrib.slim contrib.layers.python.ops.bucketization_op | bucketize
ops.sparse_crossing | contrib.slim contrib.layers.python.ops.sparse_feature_cross_op | sparse_feature_cross
ops.sparse_crossing | contrib.layers contrib.slim contrib.layers.python.ops.sparse_feature_cross_op |
    _DEFAULT_HASH_KEY=SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY
derivatives.rowwise | - python.ops.parallel_for.control_flow_ops python.ops.parallel_for | vectorized_map
derivatives.rowwise | python.ops.parallel_for.control_flow_ops python.ops.parallel_for | for_loop pfor
derivatives.rowwise | python.ops.parallel_for.pfor | PForConfig
derivatives.parallel_gradients | python.ops.parallel_for.gradients python.ops.parallel_for | jacobian batch_jacobian
testing.rows | python.ops.parallel_for.test_util | PForTestCase
run.fetches | python.client.session | FetchHandler=_FetchHandler
ops.stateful_random | python.ops.stateful_random_ops | non_deterministic_ints
state.critical_sections | - python.ops.critical_section_ops contrib.framework | CriticalSection
state.critical_sections | python.ops.critical_section_ops | CRITICAL_SECTIONS CRITICAL_SECTION_EXECUTIONS
ops.mutexes | python.ops.gen_resource_variable_ops | mutex_v2 mutex_lock consume_mutex_lock
ops.quantized | nn | quantized_avg_pool quantized_conv2d quantized_max_pool
ops.projections | contrib.image.ops.gen_image_ops | image_projective_transform
ops.image_regions | contrib.image contrib.image.python.ops.image_ops | bipartite_match connected_components
ops.arithmetic | python.ops.standard_ops | multiply=mul
testing.stubs | test python.platform.googletest | StubOutForTesting
graph.convert | python.framework.ops | as_tensor=internal_convert_to_tensor
ops.device_memory | contrib.memory_stats contrib.memory_stats.python.ops.memory_stats_ops | BytesInUse BytesLimit
    MaxBytesInUse
command_line | contrib.eager | eager_run=run
command_line | python.framework.ops | eager_run
ops.zeroing | contrib.framework contrib.slim contrib.framework.python.ops.variables | zero_initializer
editing.connecting | contrib.graph_editor contrib.graph_editor.reroute | swap_inputs reroute_inputs swap_outputs
    reroute_outputs swap_ios reroute_ios
editing.connecting | contrib.graph_editor contrib.graph_editor.edit | detach_control_inputs detach_control_outputs
    detach_inputs detach_outputs detach connect bypass
state.copies | contrib.copy_graph contrib.copy_graph.python.util.copy_elements | copy_op_to_graph
    copy_variable_to_graph get_copied_op
contrib.receptive_fields | contrib.receptive_field contrib.receptive_field.receptive_field_api |
    compute_receptive_field_from_graph_def get_compute_order
contrib.receptive_fields | contrib.receptive_field.python.util.receptive_field | ReceptiveField
    compute_receptive_field_from_graph_def
contrib.receptive_fields | contrib.receptive_field.python.util.graph_compute_order | get_compute_order
    parse_graph_nodes
contrib.receptive_fields | contrib.receptive_field.python.util.parse_layer_parameters | get_layer_params
ops.periodic | contrib.periodic_resample contrib.periodic_resample.python.ops.periodic_resample_op |
    periodic_resample
ops.hyperplanes | contrib.nearest_neighbor contrib.nearest_neighbor.python.ops.nearest_neighbor_ops |
    hyperplane_lsh_probes
ops.resampling | contrib.resampler contrib.resampler.python.ops.resampler_ops | resampler
state.loss_scales | train.experimental python.training.experimental.loss_scale | LossScale FixedLossScale
    DynamicLossScale
ops.clock | - | timestamp
eager.configuration | config.optimizer | get_jit set_jit get_experimental_options set_experimental_options
eager.configuration | debugging | get_log_device_placement set_log_device_placement
graph.convert | - | as_tensor_or_slices=convert_to_tensor_or_indexed_slices
ops.inplace | python.ops.inplace_ops | alias_inplace_add alias_inplace_sub alias_inplace_update empty empty_like
    inplace_add inplace_sub inplace_update
ops.factorization | contrib.factorization.python.ops.gen_factorization_ops | wals_compute_partial_lhs_and_rhs
    masked_matmul
ops.clustering | contrib.factorization.python.ops.clustering_ops python.ops.clustering_ops | nearest_neighbors
    kmeans_plus_plus_initialization
    kmc2_chain_initialization
ops.tensor_lists | python.ops.list_ops | empty_tensor_list tensor_list_reserve tensor_list_get_item
    tensor_list_set_item tensor_list_push_back tensor_list_pop_back tensor_list_push_back_batch tensor_list_length
    tensor_list_element_shape tensor_list_resize
ops.list_stacks | python.ops.list_ops | tensor_list_from_tensor tensor_list_stack tensor_list_gather
    tensor_list_scatter tensor_list_concat tensor_list_split tensor_list_concat_lists
ops.list_elements | python.ops.list_ops | _build_element_shape
ops.unicode | strings python.ops.string_ops | unicode_script
ops.strings | user_ops python.user_ops.user_ops | my_fact
"""

serve(SERVED)
HIDDEN.update({("retrograd.ops.collectives", "*"), ("retrograd.graph.stack_frames", "*")})
HIDDEN.add(("retrograd.contrib.receptive_fields", "*"))
# results and tools of ours that share a name with an op
HIDDEN.update(
    {
        ("retrograd.ops.convolving", "Shape"), ("retrograd.ops.staging", "Stage"), ("retrograd.ops.pivoting", "Lu"),
        ("retrograd.ops.special_values", "igamma_grad_a"), ("retrograd.ops.stacks", "Stack"),
        ("retrograd.ops.orthogonal", "Qr"), ("retrograd.run.lowered_sums", "Sum"),
        ("retrograd.ops.barriers", "BarrierTakeMany"), ("retrograd.run.histories", "Stack"),
    }
)  # fmt: skip
# what is a bare op there has a function of the same name, with other arguments, elsewhere
_BARE = {
    "sparse_ops": "add_many_sparse_to_tensors_map add_sparse_to_tensors_map take_many_sparse_from_tensors_map",
    "gen_sparse_ops": "add_many_sparse_to_tensors_map add_sparse_to_tensors_map take_many_sparse_from_tensors_map"
    " sparse_cross sparse_dense_cwise_add sparse_dense_cwise_div sparse_dense_cwise_mul deserialize_sparse",
    "gen_string_ops": "string_format string_length string_split_v2",
    "gen_data_flow_ops": "Barrier",
    "array_ops": "inplace_add inplace_sub inplace_update",
    "gen_array_ops": "inplace_add inplace_sub inplace_update",
    "gen_control_flow_ops": "enter switch",
    "gen_ctc_ops": "ctc_beam_search_decoder",
    "gen_image_ops": "combined_non_max_suppression crop_and_resize draw_bounding_boxes extract_glimpse"
    " non_max_suppression resize_bicubic resize_bilinear resize_nearest_neighbor sample_distorted_bounding_box",
    "gen_parsing_ops": "parse_sequence_example",
    "gen_random_ops": "parameterized_truncated_normal random_poisson_v2",
    "gen_resource_variable_ops": "assign_variable_op consume_mutex_lock variable_shape",
    "gen_stateless_random_ops": "stateless_random_normal stateless_random_uniform",
    "lookup_ops": "MutableDenseHashTable",
}
for _module, _names in _BARE.items():
    RENAMED.update({(f"python.ops.{_module}", _name): "" for _name in _names.split()})
RENAMED["python.framework.common_shapes", "rank"] = ""
RENAMED["python.keras.engine.base_layer_utils", "from_saved_model"] = ""
