"""Where the names of ``tf.autograph`` come from, and inner names that libraries of distributions and modules read.

Added to the table of ``faces_table``.  See ``faces_of_contrib``.
"""

from faces_of_contrib import HIDDEN, serve
from faces_table import EXTRA, RENAMED

RENAMED["", "nondifferentiable_batch_function"] = "retrograd.state.batched_calls:batch_function"
SERVED = """
autograph.converting | autograph | to_graph_v1=to_graph to_code_v1=to_code
autograph.converting | python.autograph.impl.api | to_graph_v1 to_code_v1
autograph.converting | compat.v2.autograph contrib.autograph python.autograph python.autograph.impl.api |
    to_graph to_code
autograph.converting | autograph | set_verbosity trace
autograph.converting | autograph.experimental python.autograph python.autograph.impl.api contrib.autograph |
    do_not_convert
autograph.converting | autograph.experimental python.autograph python.autograph.lang.directives contrib.autograph |
    set_loop_options
autograph.converting | contrib.autograph python.autograph python.autograph.impl.api | convert
autograph.converting | python.autograph python.autograph.impl.api | AutoGraphError ConversionError StagingError
autograph.converting | python.autograph.utils.ag_logging | set_verbosity trace
autograph.options | autograph.experimental python.autograph.core.converter contrib.autograph | Feature
autograph.options | python.autograph python.autograph.core.converter | ConversionOptions
autograph.operators | python.autograph.operators.special_values | Undefined UndefinedReturnValue
ops.cases | python.ops.control_flow_ops | case_by=_case_helper
keras.layers.normalizing | compat.v2.keras.layers python.keras.layers.normalization_v2 |
    BatchNormalizationV2=BatchNormalization
nn.convolution | python.ops.nn_ops | Convolution
nn.rnn_cells | python.ops.rnn_cell_impl | zero_states=_zero_state_tensors
graph.nest | python.util.nest | _is_namedtuple
graph.static | python.pywrap_tensorflow | try_evaluate_constant=TF_TryEvaluateConstant_wrapper
graph.static | python.pywrap_tensorflow_internal | try_evaluate_constant=TF_TryEvaluateConstant_wrapper
state.batched_calls | contrib.batching contrib.batching.python.ops.batch_ops python.ops.batch_ops | batch_function
state.batched_calls | compat.v2 | batch_function=nondifferentiable_batch_function
flow.kinds | python.ops.control_flow_util | graph_or_parents_in_xla_context=GraphOrParentsInXlaContext
"""
serve(SERVED)
EXTRA["python.util.tf_inspect"] = EXTRA.get("python.util.tf_inspect", "") + "\nimport inspect as _inspect"
HIDDEN.update((f"retrograd.autograph.{_file}", "*") for _file in (
    "builtins", "converting", "finding", "lowering", "operators", "options", "ordering", "reading", "rewriting",
))  # fmt: skip
