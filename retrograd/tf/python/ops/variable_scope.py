"""The names of ``tensorflow.python.ops.variable_scope``."""

from retrograd.faces import missing
from retrograd.state.partitioned import PartitionInfo as _PartitionInfo
from retrograd.state.resource import (
    disable_resource_variables,
    enable_resource_variables,
    resource_variables_enabled,
)
from retrograd.state.scopes import (
    VariableScope,
    get_local_variable,
    get_variable,
    get_variable_scope,
    get_variable_scope_store,
    no_regularizer,
    variable_op_scope,
    variable_scope,
)
from retrograd.state.scopes import (
    pure_variable_scope as _pure_variable_scope,
)
from retrograd.state.scopes import (
    unique_variable_scope as _get_unique_variable_scope,
)
from retrograd.state.variable_store import (
    AUTO_REUSE,
    EagerVariableStore,
)
from retrograd.state.variable_store import (
    VariableStore as _VariableStore,
)
from retrograd.state.variable_store import (
    default_variable_store as _get_default_variable_store,
)
from retrograd.state.variables import (
    Variable as variable,
)
from retrograd.state.variables import (
    VariableAggregation,
    VariableSynchronization,
    default_variable_creator,
    default_variable_creator_v2,
    variable_creator_scope,
)
from retrograd.state.variables import (
    variable_creator_scope as variable_creator_scope_v1,
)

__getattr__ = missing(__name__)
