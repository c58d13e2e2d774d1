"""Where the names that hardly a program uses come from; see ``faces_of_contrib``."""

import faces_of_columns  # noqa: F401  what it says of contrib.slim comes first
from faces_of_contrib import serve
from faces_table import EXTRA, LAZY, words

SERVED = """
ops.fractional_pooling | nn python.ops.nn_ops | fractional_avg_pool fractional_max_pool
ops.fractional_pooling | python.ops.nn_ops | fractional_avg_pool_v2 fractional_max_pool_v2
ops.fractional_pooling | compat.v2.nn | fractional_avg_pool_v2=fractional_avg_pool
    fractional_max_pool_v2=fractional_max_pool
ops.quantized | - quantization python.ops.array_ops | quantize dequantize quantized_concat
ops.quantized | - python.ops.array_ops | quantize_v2
nn.contrib.shape_conditions | contrib.framework contrib.slim contrib.framework.python.framework.tensor_util |
    assert_scalar_int remove_squeezable_dimensions with_same_shape with_shape
nn.contrib.functions | contrib.nn contrib.nn.python.ops.sampling_ops | rank_sampled_softmax_loss
    sampled_sparse_softmax_loss
nn.contrib.functions | contrib.framework contrib.framework.python.ops.script_ops | py_func
nn.contrib.reversible | contrib.layers contrib.slim contrib.layers.python.layers.rev_block_lib
    contrib.layers.python.layers | RevBlock rev_block
io.fusing | contrib.framework contrib.framework.python.framework.graph_util | fuse_op
io.fusing | contrib.util python.framework.meta_graph | ops_used_by_graph_def
ops.cases | contrib.framework python.framework.smart_cond | smart_case
graph.deprecation | contrib.framework contrib.slim python.util.deprecation | deprecated_arg_values
graph.deprecation | contrib.slim contrib.framework.python.framework.experimental | experimental
graph.convert | contrib.framework contrib.framework.python.ops.ops | get_graph_from_inputs
estimator.remapping | contrib.framework contrib.framework.python.ops.checkpoint_ops |
    load_linear_multiclass_bias_initializer load_variable_slot_initializer
train.training_util | contrib.framework contrib.slim contrib.framework.python.ops.variables |
    assert_or_get_global_step
ops.comparison | contrib.slim contrib.layers.python.ops.bucketization_op | bucketize
ops.sparse_crossing | contrib.slim contrib.layers.python.ops.sparse_feature_cross_op | sparse_feature_cross
ops.sparse_crossing | contrib.layers contrib.slim contrib.layers.python.ops.sparse_feature_cross_op |
    _DEFAULT_HASH_KEY=SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY
feature_column.older_models | contrib.slim contrib.layers.python.layers.embedding_ops | scattered_embedding_lookup
    scattered_embedding_lookup_sparse
io.lookup | contrib.lookup | TextFileInitializer
keras.schedules | keras.experimental python.keras.optimizer_v2.learning_rate_schedule | CosineDecay
    CosineDecayRestarts LinearCosineDecay NoisyLinearCosineDecay
keras.layers.recurrent | keras.experimental python.keras.layers.recurrent | PeepholeLSTMCell
keras.premade | keras.experimental python.keras.premade.linear | LinearModel
nn.keras.constraints | keras.constraints python.keras.constraints | RadialConstraint
nn.keras.constraints | keras.constraints | RadialConstraint=radial_constraint
derivatives.rowwise | - python.ops.parallel_for.control_flow_ops python.ops.parallel_for | vectorized_map
derivatives.rowwise | python.ops.parallel_for.control_flow_ops python.ops.parallel_for | for_loop pfor
derivatives.rowwise | python.ops.parallel_for.pfor | PForConfig
derivatives.parallel_gradients | python.ops.parallel_for.gradients python.ops.parallel_for | jacobian batch_jacobian
testing.rows | python.ops.parallel_for.test_util | PForTestCase
io.session_bundles | contrib.session_bundle.exporter | Exporter classification_signature generic_signature
    gfile_copy_callback regression_signature
io.session_bundles | contrib.session_bundle.gc | Path largest_export_versions negation
run.fetches | python.client.session | FetchHandler=_FetchHandler
io.random_generators | random.experimental compat.v2.random.experimental python.ops.stateful_random_ops | Generator
    create_rng_state get_global_generator set_global_generator
ops.stateful_random | python.ops.stateful_random_ops | non_deterministic_ints
state.critical_sections | - python.ops.critical_section_ops contrib.framework | CriticalSection
state.critical_sections | python.ops.critical_section_ops | CRITICAL_SECTIONS CRITICAL_SECTION_EXECUTIONS
ops.mutexes | python.ops.gen_resource_variable_ops | mutex_v2 mutex_lock consume_mutex_lock
ops.quantized | nn | quantized_avg_pool quantized_conv2d quantized_max_pool
"""

serve(SERVED)

# -- modules that tf.contrib.slim and tensorflow.python show by accident ---------------------------

_SHOWN = """
array_ops=python.ops bucketization_op=contrib.layers.python.ops checkpoint_utils=contrib.framework.python.framework
clip_ops=python.ops control_flow_ops=python.ops deprecation=python.util dtypes=python.framework
embedding_ops=contrib.layers.python.layers encoders=contrib.layers.python.layers
feature_column=contrib.layers.python.layers feature_column_ops=contrib.layers.python.layers init_ops=python.ops
lookup=contrib loss_ops=contrib.losses.python.losses math_ops=python.ops metric_ops=contrib.metrics.python.ops
metrics=contrib moving_averages=python.training nest=python.util nn=python.ops nn_ops=python.ops
normalization=contrib.layers.python.layers ops=python.framework optimizers=contrib.layers.python.layers
parsing_ops=python.ops random_ops=python.ops resource_variable_ops=python.ops
rev_block_lib=contrib.layers.python.layers sparse_feature_cross_op=contrib.layers.python.ops sparse_ops=python.ops
sparse_tensor=python.framework string_ops=python.ops summary=python.summary tensor_shape=python.framework
variable_scope=python.ops variables=python.ops
"""
_SHOWN_BY_PYTHON = """
app=python.platform array_grad=python.ops array_ops=python.ops attr_value_pb2=core.framework check_ops=python.ops
clip_ops=python.ops common_shapes=python.framework config=python.framework constant_op=python.framework
context=python.eager control_flow_ops=python.ops control_flow_util=python.ops data_flow_grad=python.ops
deprecation=python.util distributions=python.ops.distributions dtypes=python.framework errors=python.framework
errors_impl=python.framework file_io=python.lib.io flags=python.platform function_utils=python.util
gen_array_ops=python.ops gen_batch_ops=python.ops gen_control_flow_ops=python.ops gen_data_flow_ops=python.ops
gen_functional_ops=python.ops gen_io_ops=python.ops gen_linalg_ops=python.ops gen_math_ops=python.ops
gen_nn_ops=python.ops gen_parsing_ops=python.ops gen_random_ops=python.ops gen_sparse_ops=python.ops
gen_state_ops=python.ops gen_stateless_random_ops=python.ops gen_string_ops=python.ops gfile=python.platform
gradient_checker_v2=python.ops graph_util=python.framework linalg=python.ops.linalg list_ops=python.ops
losses=python.ops.losses manip_grad=python.ops map_fn=python.ops math_grad=python.ops math_ops=python.ops
metrics=python.ops nest=python.util nn=python.ops nn_ops=python.ops object_identity=python.util
op_def_pb2=core.framework python_io=python.lib.io ragged=python.ops random_grad=python.ops random_ops=python.ops
random_seed=python.framework resource_loader=python.platform resource_variable_ops=python.ops rnn=python.ops
rnn_cell=python.ops sets=python.ops signal=python.ops.signal sparse_grad=python.ops sparse_ops=python.ops
sparse_tensor=python.framework state_grad=python.ops state_ops=python.ops stateful_random_ops=python.ops
tensor_array_ops=python.ops tensor_shape=python.framework tensor_spec=python.framework tensor_util=python.framework
test=python.platform tf_inspect=python.util tf_logging=python.platform type_spec=python.framework
types_pb2=core.framework variable_pb2=core.framework wrap_function=python.eager
"""
for _module, _shown in (("contrib.slim", _SHOWN), ("python", _SHOWN_BY_PYTHON)):
    LAZY[_module] = LAZY.get(_module, {}) | {
        _name: f"retrograd.tf.{_place}" for _name, _, _place in (pair.partition("=") for pair in words(_shown))
    }
EXTRA["contrib.slim"] += """
from retrograd.tf.python.framework import sparse_tensor as sparse_tensor_py
from retrograd.tf.python.ops import variable_scope as vs
from retrograd.tf.python.ops import variables as vars_
from retrograd.tf.python.platform import tf_logging as logging
from retrograd.tf.python.training import optimizer as optimizer_
from retrograd.tf.python.training import training as train
from retrograd.tf.contrib import framework as contrib_framework
from retrograd.tf.contrib.framework.python.ops import variables as contrib_variables
from retrograd.tf.contrib.layers.python.layers import feature_column as fc
from retrograd.tf.python.feature_column import feature_column as fc_core
"""
_FUTURE = """
import __future__

absolute_import = __future__.absolute_import
division = __future__.division
print_function = __future__.print_function
"""
for _module in ("contrib.slim", "contrib.summary", "flags.tf_decorator"):
    EXTRA[_module] = EXTRA.get(_module, "") + _FUTURE
EXTRA["contrib.session_bundle.manifest_pb2"] = (
    "from retrograd.files.manifests import (\n    AssetFile,\n    ClassificationSignature,\n    GenericSignature,\n"
    "    RegressionSignature,\n    Signature,\n    Signatures,\n    TensorBinding,\n)"
)
