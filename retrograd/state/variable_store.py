"""The variables that ``get_variable`` made, by name: each graph has one store."""

from __future__ import annotations

import inspect
import linecache
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

from retrograd.graph import dtypes, errors, source
from retrograd.graph.collections import GraphKeys
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph
from retrograd.state import initializers, partitioned
from retrograd.state.reference import RefVariable
from retrograd.state.resource import resource_variables_enabled
from retrograd.state.variables import VariableAggregation, VariableSynchronization, VariableV1, checked_modes


class Reuse:
    """``tf.AUTO_REUSE``: take the variable if it is there, else make it."""

    def __repr__(self) -> str:
        return "_ReuseMode.AUTO_REUSE"


AUTO_REUSE = Reuse()


class VariableStore:
    """Makes variables, and finds those that it made."""

    keeps_eager_variables = False  # else a variable lives as long as the program holds it

    def __init__(self) -> None:
        self._vars: dict[str, Any] = {}
        self._partitioned_vars: dict[str, Any] = {}

    def get_variable(
        self,
        name: str,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        initializer: Any = None,
        regularizer: Any = None,
        reuse: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        custom_getter: Any = None,
        constraint: Any = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
    ) -> Any:
        """The variable called ``name``, or a new one; a ``custom_getter`` may decide otherwise."""
        if custom_getter is not None and not callable(custom_getter):
            raise ValueError(f"Passed a custom_getter which is not callable: {custom_getter}")
        synchronization, aggregation, trainable = checked_modes(synchronization, aggregation, trainable, name)
        if default_graph().is_eager:
            if reuse and not self.keeps_eager_variables:
                raise RuntimeError(
                    "When eager execution is enabled variable reuse is only supported when an EagerVariableStore is "
                    "active. See the documentation on EagerVariableStore for example usage."
                )
            if self.keeps_eager_variables:
                reuse = AUTO_REUSE
        arguments = {
            "name": name, "shape": shape, "dtype": getattr(dtype, "base_dtype", dtype),
            "initializer": initializer,
            "regularizer": regularizer, "reuse": reuse, "trainable": trainable, "collections": collections,
            "caching_device": caching_device, "partitioner": partitioner, "validate_shape": validate_shape,
            "use_resource": use_resource, "synchronization": synchronization, "aggregation": aggregation,
        }  # fmt: skip
        if custom_getter is None:
            return self._get(**arguments, constraint=constraint)
        if _takes(custom_getter, "constraint"):
            arguments["constraint"] = constraint
        return custom_getter(getter=self._get, **arguments)

    def _get(
        self,
        name: str,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        initializer: Any = None,
        regularizer: Any = None,
        reuse: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        constraint: Any = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
    ) -> Any:
        rest = {
            "shape": shape, "dtype": dtype, "initializer": initializer, "regularizer": regularizer,
            "reuse": reuse,
            "trainable": trainable, "collections": collections, "caching_device": caching_device,
            "validate_shape": validate_shape, "use_resource": use_resource, "constraint": constraint,
            "synchronization": synchronization, "aggregation": aggregation,
        }  # fmt: skip
        is_scalar = isinstance(shape, list | tuple) and not shape
        if partitioner is not None and not is_scalar:
            if not callable(partitioner):
                raise ValueError(f"Partitioner must be callable, but received: {partitioner}")
            with name_scope(None):
                return partitioned.get_partitioned_variable(self, name, partitioner, **rest)
        if reuse is True and partitioner is None and name in self._partitioned_vars:
            return partitioned.get_partitioned_variable(self, name, None, **rest)
        if f"{name}/part_0" in self._vars:
            raise ValueError(
                "No partitioner was provided, but a partitioned version of the variable was found: "
                f"{name}/part_0. Perhaps a variable of the same name was already created with partitioning?"
            )
        return self.get_single_variable(name, **rest)

    def _get_partitioned_variable(self, name: str, partitioner: Any, **rest: Any) -> Any:
        return partitioned.get_partitioned_variable(self, name, partitioner, **rest)

    def get_single_variable(
        self,
        name: str,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        initializer: Any = None,
        regularizer: Any = None,
        partition_info: Any = None,
        reuse: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        constraint: Any = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
    ) -> Any:
        """The variable called ``name``, or a new one if ``reuse`` allows it."""
        if initializer is not None and not callable(initializer) and shape is not None:
            error = ValueError("If initializer is a constant, do not specify shape.")
            error.add_note(f"  Fix:   tf.get_variable({name!r}, initializer=...), without a shape")
            raise error
        dtype, shape = as_dtype(dtype), TensorShape(shape)
        if name in self._vars:
            return self._found(name, shape, dtype, reuse)
        if reuse is True:
            raise self._missing(name)
        with control_dependencies(None):
            initial_value, variable_dtype = _initial_value(name, shape, dtype, initializer, partition_info)
        variable = VariableV1(
            initial_value=initial_value, name=name, trainable=trainable, collections=collections,
            caching_device=caching_device, dtype=variable_dtype, validate_shape=validate_shape,
            constraint=constraint,
            use_resource=resource_variables_enabled() if use_resource is None else use_resource,
            synchronization=synchronization, aggregation=aggregation,
        )  # fmt: skip
        if not default_graph().is_eager:
            self._vars[name] = variable
        elif self.keeps_eager_variables:
            self._vars[name] = variable
            keys = [*(collections or [GraphKeys.GLOBAL_VARIABLES])]
            keys += [GraphKeys.TRAINABLE_VARIABLES] if trainable is not False else []
            default_graph().symbolic.add_to_collections(keys, variable)
        if regularizer:
            with colocate_with(variable), name_scope(f"{name}/Regularizer/"), control_dependencies(None):
                loss = regularizer(variable)
            if loss is not None:
                default_graph().symbolic.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
        return variable

    def _found(self, name: str, shape: TensorShape, dtype: Any, reuse: Any) -> Any:
        variable = self._vars[name]
        if reuse is False:
            raise _already_there(name, variable)
        if not shape.is_compatible_with(variable.get_shape()):
            raise _shared_unfit(
                f"Trying to share variable {name}, but specified shape {shape} and found shape {variable.get_shape()}.",
                variable,
            )
        if not dtype.is_compatible_with(variable.dtype):
            raise _shared_unfit(
                f"Trying to share variable {name}, but specified dtype {dtype.name} and found dtype "
                f"{variable.dtype.name}.",
                variable,
            )
        return variable

    def _missing(self, name: str) -> ValueError:
        error = ValueError(
            f"Variable {name} does not exist, or was not created with tf.get_variable(). "
            "Did you mean to set reuse=tf.AUTO_REUSE in VarScope?"
        )
        near = errors.nearest(name, self._vars)
        error.add_note(
            f"  Fix:   did you mean {near!r}?" if near else "  Fix:   tf.variable_scope(..., reuse=tf.AUTO_REUSE)"
        )
        return error


def _shared_unfit(words: str, variable: Any) -> Exception:
    place = source.location(variable.op.frames)
    return errors.taught(
        ValueError(words), where=f"first defined at {place}" if place else None,
        fix="another name or scope for another variable, or the same shape and dtype for the same",
    )  # fmt: skip


def _already_there(name: str, variable: Any) -> ValueError:
    words = (
        f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE "
        "in VarScope?"
    )
    if not isinstance(variable, RefVariable):
        error = ValueError(words)
    else:
        rows = [
            (code.co_filename, line, code.co_name, linecache.getline(code.co_filename, line).strip())
            for code, line in variable.op.frames[:5]
        ]
        error = ValueError(f"{words} Originally defined at:\n\n{''.join(traceback.format_list(rows))}")
    place = source.location(variable.op.frames)
    error.add_note(
        (f"  Where: first defined at {place}\n" if place else "")
        + "  Fix:   tf.variable_scope(..., reuse=tf.AUTO_REUSE) to share it, or another name or scope for a "
        "second one"
    )
    return error


def _initial_value(name: str, shape: TensorShape, dtype: Any, initializer: Any, partition_info: Any) -> tuple[Any, Any]:
    """What the variable starts from, a value or a function that makes one, and the dtype to cast it to."""
    if initializer is None:
        initializer = _default_initializer(name, dtype)
    if not callable(initializer):
        return initializer, None
    if isinstance(initializer, type):
        initializer = initializer()
    if shape.is_fully_defined():
        return partial(initializer, shape.as_list(), dtype=dtype, partition_info=partition_info), dtype.base_dtype
    if _needs_no_arguments(initializer):
        return initializer, None
    error = ValueError(
        "The initializer passed is not valid. It should be a callable with no arguments and the shape "
        "should not be "
        "provided or an instance of `tf.keras.initializers.*' and `shape` should be fully defined."
    )
    error.add_note(f"  Fix:   tf.get_variable({name!r}, shape=[...]) with every size known")
    raise error


def _default_initializer(name: str, dtype: Any) -> Any:
    if dtype.is_floating:
        return initializers.glorot_uniform_initializer()
    if dtype.is_integer or dtype.is_unsigned or dtype.is_bool or dtype == dtypes.string:
        return initializers.zeros_initializer()
    raise ValueError(f"An initializer for variable {name} of {dtype.base_dtype} is required")


def _needs_no_arguments(function: Callable[..., Any]) -> bool:
    """Whether every positional parameter has a default; an object's ``__call__`` counts its ``self``."""
    parameters = inspect.getfullargspec(function)
    return len(parameters.args) == len(parameters.defaults or ())


def _takes(function: Callable[..., Any], name: str) -> bool:
    parameters = inspect.signature(function).parameters
    return name in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


_in_place_of_it: ContextVar[VariableStore | None] = ContextVar("variable store of a block", default=None)


class EagerVariableStore:
    """Keeps the variables that ``get_variable`` makes while ops run at once, so that they can be had again by name.

    >>> store = EagerVariableStore()
    >>> store.variables()
    []
    """

    def __init__(self, store: VariableStore | None = None) -> None:
        if store is not None and not store.keeps_eager_variables:
            raise ValueError("Cannot construct EagerVariableStore from a VariableStore object that does not hold eager "
                             "variables.")  # fmt: skip
        self._store = VariableStore() if store is None else store
        self._store.keeps_eager_variables = True

    @contextmanager
    def as_default(self) -> Iterator[None]:
        """Let ``get_variable`` make and find its variables here, in the block."""
        token = _in_place_of_it.set(self._store)
        try:
            yield
        finally:
            _in_place_of_it.reset(token)

    def variables(self) -> list[Any]:
        """The variables, by name."""
        return sorted(self._store._vars.values(), key=lambda v: str(v.name))

    def trainable_variables(self) -> list[Any]:
        """Those that training changes."""
        return [v for v in self.variables() if v.trainable]

    def non_trainable_variables(self) -> list[Any]:
        """Those that it leaves alone."""
        return [v for v in self.variables() if not v.trainable]

    def copy(self) -> EagerVariableStore:
        """A store of variables of its own that have the values of these."""
        copied = EagerVariableStore()
        for name, variable in self._store._vars.items():
            copied._store._vars[name] = VariableV1(
                variable.read_value(), name=name.rpartition("/")[2], trainable=variable.trainable
            )
        return copied


def default_variable_store() -> VariableStore:
    """The store of the default graph, or that which a block has put in its place."""
    given = _in_place_of_it.get()
    if given is not None:
        return given
    store: VariableStore = default_graph().naming.setdefault("variable store", VariableStore())
    return store
