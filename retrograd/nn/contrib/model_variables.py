"""Variables that are listed as the model's, and lists of variables by scope and name."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from retrograd.graph import dtypes, scopes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.devices import DeviceSpec
from retrograd.graph.graph import Graph
from retrograd.graph.scopes import name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.nn.contrib.arg_scope import add_arg_scope
from retrograd.ops import constants, control, reductions, sums
from retrograd.state import variables
from retrograd.state.scopes import VariableScope, get_variable, get_variable_scope


def local_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None, use_resource: bool | None = None
) -> Any:
    """A variable that is no parameter and is not saved."""
    return _listed(GraphKeys.LOCAL_VARIABLES, initial_value, validate_shape, name, use_resource)


def global_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None, use_resource: bool | None = None
) -> Any:
    """A variable that is no parameter and is saved."""
    return _listed(GraphKeys.GLOBAL_VARIABLES, initial_value, validate_shape, name, use_resource)


def _listed(collection: str, initial_value: Any, validate_shape: bool, name: str | None, use_resource: Any) -> Any:
    return variables.VariableV1(
        initial_value, trainable=False, collections=[collection], validate_shape=validate_shape, name=name,
        use_resource=use_resource,
    )  # fmt: skip


@add_arg_scope
def variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    collections: Iterable[str] | None = None,
    caching_device: Any = None,
    device: Any = None,
    partitioner: Any = None,
    custom_getter: Callable[..., Any] | None = None,
    use_resource: bool | None = None,
    synchronization: Any = variables.VariableSynchronization.AUTO,
    aggregation: Any = variables.VariableAggregation.NONE,
) -> Any:
    """The variable of a name in the scope, made if it is not there."""
    collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(dict.fromkeys(collections))
    getter: Callable[..., Any] = get_variable
    if custom_getter is not None:
        getter = functools.partial(custom_getter, reuse=get_variable_scope().reuse)
    with scopes.device(device or ""):
        return getter(
            name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, trainable=trainable,
            collections=collections, caching_device=caching_device, partitioner=partitioner,
            use_resource=use_resource, synchronization=synchronization, aggregation=aggregation,
        )  # fmt: skip


@add_arg_scope
def model_variable(
    name: str,
    shape: Any = None,
    dtype: Any = dtypes.float32,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = True,
    collections: Iterable[str] | None = None,
    caching_device: Any = None,
    device: Any = None,
    partitioner: Any = None,
    custom_getter: Callable[..., Any] | None = None,
    use_resource: bool | None = None,
    synchronization: Any = variables.VariableSynchronization.AUTO,
    aggregation: Any = variables.VariableAggregation.NONE,
) -> Any:
    """The same, listed as the model's too."""
    return variable(
        name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, trainable=trainable,
        collections=[*(collections or []), GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES],
        caching_device=caching_device, device=device, partitioner=partitioner, custom_getter=custom_getter,
        use_resource=use_resource, synchronization=synchronization, aggregation=aggregation,
    )  # fmt: skip


def add_model_variable(var: Any) -> None:
    """List a variable as the model's."""
    if not any(v is var for v in scopes.get_collection(GraphKeys.MODEL_VARIABLES)):
        scopes.add_to_collection(GraphKeys.MODEL_VARIABLES, var)


# -- lists of variables ------------------------------------------------------------------------


def get_variables(
    scope: Any = None, suffix: str | None = None, collection: str = GraphKeys.GLOBAL_VARIABLES
) -> list[Any]:
    """The variables of a collection whose names begin with ``scope`` and end with ``suffix``."""
    if isinstance(scope, VariableScope):
        scope = scope.name
    if suffix is not None:
        scope = (scope or "") + ".*" + (suffix if ":" in suffix else suffix + ":")
    return scopes.get_collection(collection, scope)


def get_model_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """Those of the model."""
    return get_variables(scope, suffix, GraphKeys.MODEL_VARIABLES)


def get_local_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """The local ones."""
    return get_variables(scope, suffix, GraphKeys.LOCAL_VARIABLES)


def get_trainable_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """The trainable ones."""
    return get_variables(scope, suffix, GraphKeys.TRAINABLE_VARIABLES)


def get_variables_by_suffix(suffix: str, scope: Any = None) -> list[Any]:
    """Those whose names end so."""
    return get_variables(scope, suffix)


def get_variables_by_name(given_name: str, scope: Any = None) -> list[Any]:
    """Those with this name in any scope."""
    return get_variables(scope, f"/{given_name}:|^{given_name}:")


def get_variables_to_restore(include: Sequence[str] | None = None, exclude: Sequence[str] | None = None) -> list[Any]:
    """The variables of some scopes, but not those of others.

    Raises:
      TypeError: the scopes are no list or tuple.
    """
    for name, listed in (("include", include), ("exclude", exclude)):
        if listed is not None and not isinstance(listed, list | tuple):
            raise TypeError(f"{name} is provided but is not a list or a tuple.")
    included = get_variables() if include is None else [v for scope in include for v in get_variables(scope)]
    excluded = {id(v) for scope in exclude or () for v in get_variables(scope)}
    return [v for v in included if id(v) not in excluded]


def get_unique_variable(var_op_name: str) -> Any:
    """The variable of a name.

    Raises:
      ValueError: there is none, or only such that begin so.
    """
    candidates = get_variables(var_op_name)
    if not candidates:
        raise ValueError(f"Couldn't find variable {var_op_name}")
    for candidate in candidates:
        if candidate.op.name == var_op_name:
            return candidate
    raise ValueError(f"Variable {var_op_name} does not uniquely identify a variable")


def get_variable_full_name(var: Any) -> str:
    """The name of a variable; of a part of one, that of the whole."""
    return var._save_slice_info.full_name if var._save_slice_info else var.op.name


def filter_variables(
    var_list: Iterable[Any],
    include_patterns: Iterable[str] | None = None,
    exclude_patterns: Iterable[str] | None = None,
    reg_search: bool = True,
) -> list[Any]:
    """The variables whose names contain (or begin with) one of some patterns and none of others."""
    matches = re.search if reg_search else re.match
    included = [v for v in var_list if include_patterns is None or any(matches(p, v.name) for p in include_patterns)]
    return [v for v in included if not any(matches(p, v.name) for p in exclude_patterns or ())]


def assign_from_values(var_names_to_values: dict[str, Any]) -> tuple[Any, dict[Any, Any]]:
    """An op that sets variables, and what to feed it.

    Raises:
      ValueError: a name is no variable's, or that of several.
    """
    ops, feeds = [], {}
    for name, value in var_names_to_values.items():
        found = scopes.get_collection(GraphKeys.GLOBAL_VARIABLES, name)
        if not found:
            raise ValueError(f"Variable {name} wasn't found")
        if len(found) > 1:
            found = [v for v in found if v.op.name == name]
            if not found:
                raise ValueError(f"Variable {name} doesn't uniquely identify a variable")
        var = found[0]
        fed = constants.placeholder(dtype=var.dtype.base_dtype, shape=var.shape, name="placeholder/" + var.op.name)
        ops.append(var.assign(fed))
        feeds[fed] = value.reshape(var.shape.as_list())
    return control.group(*ops), feeds


def assign_from_values_fn(var_names_to_values: dict[str, Any]) -> Callable[[Any], Any]:
    """A function of a session that sets variables."""
    op, feeds = assign_from_values(var_names_to_values)
    return lambda session: session.run(op, feeds)


class VariableDeviceChooser:
    """A device function for variables: the tasks of a job, one after the other."""

    def __init__(
        self,
        num_tasks: int = 0,
        job_name: str = "ps",
        device_type: str = "CPU",
        device_index: int = 0,
        replica: int | None = None,
    ) -> None:
        self._device = DeviceSpec(replica=replica, device_type=device_type, device_index=device_index)
        self._job_name = job_name
        self._num_tasks = num_tasks
        self._next_task_id = 0

    def __call__(self, op: Any) -> str:
        device = self._device
        if self._num_tasks > 0:
            device = device.replace(job=self._job_name, task=self._next_task_id)
            self._next_task_id = (self._next_task_id + 1) % self._num_tasks
        return device.to_string()


# -- smaller things ----------------------------------------------------------------------------


def get_placeholders(graph: Any) -> list[Any]:
    """The placeholders of a graph.

    Raises:
      TypeError: it is no graph.
    """
    if not isinstance(graph, Graph):
        raise TypeError(f"Input graph needs to be a Graph: {graph}")
    return [op.outputs[0] for op in graph.get_operations() if op.type == "Placeholder"]


def get_name_scope() -> str:
    """The current name scope."""
    return default_graph().get_name_scope()


def reduce_sum_n(tensors: Sequence[Any], name: str | None = None) -> Tensor:
    """The sum of all elements of all tensors.

    Raises:
      ValueError: there is none.
    """
    if not tensors:
        raise ValueError("No tensors provided.")
    with name_scope(name, "reduce_sum_n", tensors) as scope:
        totals = [reductions.reduce_sum(t, name=f"{t.op.name}/sum") for t in tensors]
        return totals[0] if len(totals) == 1 else sums.add_n(totals, name=scope)
