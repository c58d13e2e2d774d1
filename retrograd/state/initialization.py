"""Which variables there are, and giving them their initial values."""

from __future__ import annotations

import os
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with, device, get_collection, name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, comparison, constants, control, indexing, joining, state


def global_variables(scope: str | None = None) -> list[Any]:
    """The variables of ``GraphKeys.GLOBAL_VARIABLES``, or those whose names match ``scope``."""
    return get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


def all_variables() -> list[Any]:
    """The old name of ``global_variables``."""
    return global_variables()


def local_variables(scope: str | None = None) -> list[Any]:
    """The variables of ``GraphKeys.LOCAL_VARIABLES``: not saved, such as the counters of metrics."""
    return get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def model_variables(scope: str | None = None) -> list[Any]:
    """The variables of ``GraphKeys.MODEL_VARIABLES``."""
    return get_collection(GraphKeys.MODEL_VARIABLES, scope)


def trainable_variables(scope: str | None = None) -> list[Any]:
    """The variables that optimizers change by default."""
    return get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


def moving_average_variables(scope: str | None = None) -> list[Any]:
    """The variables whose moving averages are kept."""
    return get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


def variables_initializer(var_list: Any, name: str = "init") -> Operation:
    """One op that gives each variable of ``var_list`` its initial value."""
    if not var_list:
        return control.no_op(name=name)
    return control.group(*[v.initializer for v in var_list], name=name)


def initialize_resources(resource_list: Any, name: str = "init") -> Operation:
    """One op that creates each resource of ``resource_list``, such as a resource variable."""
    if not resource_list:
        return control.no_op(name=name)
    return control.group(*[r.create for r in resource_list], name=name)


def global_variables_initializer() -> Operation:
    """One op that gives every global variable its initial value."""
    return variables_initializer(global_variables())


def local_variables_initializer() -> Operation:
    """One op that gives every local variable its initial value."""
    return variables_initializer(local_variables())


def initialize_variables(var_list: Any, name: str = "init") -> Operation:
    """The old name of ``variables_initializer``."""
    return variables_initializer(var_list, name)


def initialize_all_variables() -> Operation:
    """The old name of ``global_variables_initializer``."""
    return global_variables_initializer()


def initialize_local_variables() -> Operation:
    """The old name of ``local_variables_initializer``."""
    return local_variables_initializer()


def is_variable_initialized(variable: Any) -> Tensor:
    """Whether ``variable`` has been given a value."""
    return state.is_variable_initialized(variable)


def _all_there_are() -> list[Any]:
    listed = global_variables() + local_variables()
    if listed:
        return listed
    return [op.outputs[0] for op in default_graph().get_operations() if op.type in ("Variable", "VariableV2")]


def assert_variables_initialized(var_list: Any = None) -> Any:
    """An op that fails (``FailedPreconditionError``) if a variable has no value; None if there are none."""
    var_list = _all_there_are() if var_list is None else var_list
    ranks = []
    for variable in var_list:
        with colocate_with(variable.op):
            ranks.append(arrays.rank_internal(variable, optimize=False))
    if not ranks:
        return None
    return ranks[0] if len(ranks) == 1 else joining.stack(ranks)


def report_uninitialized_variables(var_list: Any = None, name: str = "report_uninitialized_variables") -> Tensor:
    """The names of the variables that have no value yet, as a vector of strings.

    By default all global and local variables are looked at.
    """
    var_list = _all_there_are() if var_list is None else var_list
    with name_scope(name):
        are_initialized = [state.is_variable_initialized(v) for v in var_list]
        with device(os.environ.get("TF_DEVICE_FOR_UNINITIALIZED_VARIABLE_REPORTING", "/cpu:0")):
            if not var_list:
                return constants.constant([], dtypes.string)
            missing = comparison.logical_not(joining.stack(are_initialized))
            names = constants.constant([v.op.name for v in var_list])
            return indexing.boolean_mask(names, missing)
