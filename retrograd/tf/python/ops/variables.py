"""The names of ``tensorflow.python.ops.variables``."""

from retrograd.faces import missing
from retrograd.graph import dtypes
from retrograd.graph.deprecation import deprecated
from retrograd.io.saveables import all_saveable_objects as _all_saveable_objects
from retrograd.state.guard import guarded as _try_guard_against_uninitialized_dependencies
from retrograd.state.initialization import (
    all_variables,
    assert_variables_initialized,
    global_variables,
    global_variables_initializer,
    initialize_all_variables,
    initialize_local_variables,
    initialize_variables,
    is_variable_initialized,
    local_variables,
    local_variables_initializer,
    model_variables,
    moving_average_variables,
    report_uninitialized_variables,
    trainable_variables,
    variables_initializer,
)
from retrograd.state.partitioned import PartitionedVariable
from retrograd.state.reference import RefVariable
from retrograd.state.variables import (
    Variable as VariableV1,
)
from retrograd.state.variables import (
    VariableAggregation,
    VariableAggregationV2,
    VariableMetaclass,
    VariableSynchronization,
    default_variable_creator,
    default_variable_creator_v2,
)
from retrograd.state.variables import (
    VariableV2 as Variable,
)

__getattr__ = missing(__name__)
