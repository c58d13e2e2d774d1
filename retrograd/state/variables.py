"""``tf.Variable``: a value that a session keeps between runs.

``VariableV1`` is what programs call ``tf.Variable``; it makes a ``RefVariable`` or a
``ResourceVariable``, which both are instances of it.
"""

from __future__ import annotations

import enum
import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from retrograd.eager.graph import eager_graph
from retrograd.graph import log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import register_tensor_conversion_function
from retrograd.graph.dtypes import DType
from retrograd.graph.functions import FunctionGraph
from retrograd.graph.modes import executing_eagerly_outside_functions
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph, default_session
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.ops import conditions, operators, scatters, slicing, state
from retrograd.state.slices import SaveSliceInfo, in_scope, without_scope


class VariableSynchronization(enum.Enum):
    """When a distributed variable's copies are brought together."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(enum.Enum):
    """How the copies of a distributed variable are brought together."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3  # noqa: PIE796 (the older name)


VariableAggregationV2 = VariableAggregation


def checked_modes(synchronization: Any, aggregation: Any, trainable: Any, name: Any) -> tuple[Any, Any, Any]:
    """The three with their defaults: a variable is trainable unless its copies are synchronised on reading.

    Raises:
      ValueError: one of the two modes does not exist.
    """
    try:
        aggregation = VariableAggregation.NONE if aggregation is None else VariableAggregation(aggregation)
    except ValueError:
        raise ValueError(f"Invalid variable aggregation mode: {aggregation} for variable: {name}") from None
    try:
        synchronization = VariableSynchronization(synchronization or VariableSynchronization.AUTO)
    except ValueError:
        raise ValueError(f"Invalid variable synchronization mode: {synchronization} for variable: {name}") from None
    if trainable is None:
        trainable = synchronization != VariableSynchronization.ON_READ
    return synchronization, aggregation, trainable


# -- who makes a variable ----------------------------------------------------------------------


class Creators(threading.local):
    """The variable creators that a thread is inside of, outermost first."""

    def __init__(self) -> None:
        self.functions: list[Callable[..., Any]] = []


def _creators() -> Creators:
    """Those of the graph that is built; functions, and what they make outside of them, have those around the call."""
    graph: Any = default_graph()
    while isinstance(graph, FunctionGraph):
        graph = graph.outer_graph
    if graph.takes_ops_at_once:
        graph = eager_graph()
    creators: Creators = graph.notes.setdefault("variable creators", Creators())
    return creators


@contextmanager
def variable_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """Variables of the block are made by ``variable_creator(next_creator, **arguments)``."""
    creators = _creators()
    outer = creators.functions
    creators.functions = inner = [*outer, variable_creator]
    try:
        yield
    finally:
        if creators.functions is not inner:
            raise RuntimeError("Exiting variable_creator_scope without proper nesting.")
        creators.functions = outer


def default_variable_creator(next_creator: None = None, *, use_resource: bool | None = None, **arguments: Any) -> Any:
    """The variable that the arguments ask for, of the kind that its scope or the whole program prefers."""
    from retrograd.state.reference import RefVariable
    from retrograd.state.resource import ResourceVariable, resource_variables_enabled
    from retrograd.state.scopes import get_variable_scope

    if executing_eagerly_outside_functions():
        use_resource = True
    if use_resource is None:
        use_resource = get_variable_scope().use_resource
    if use_resource is None:
        use_resource = resource_variables_enabled()
    return (ResourceVariable if use_resource else RefVariable)(**arguments)


def default_variable_creator_v2(next_creator: None = None, *, use_resource: Any = None, **arguments: Any) -> Any:
    """The resource variable that the arguments ask for, whatever they say of its kind."""
    from retrograd.state.resource import ResourceVariable

    return ResourceVariable(**arguments)


class VariableMetaclass(type):
    """Lets a call of ``tf.Variable`` pass through the variable creators."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls not in (VariableV1, VariableV2):
            return super().__call__(*args, **kwargs)
        given = _SIGNATURES[cls].bind(None, *args, **kwargs)
        given.apply_defaults()
        del given.arguments["self"]
        make: Callable[..., Any] = default_variable_creator if cls is VariableV1 else default_variable_creator_v2
        for creator in _creators().functions:
            make = functools.partial(creator, make)
        return make(**given.arguments)


# -- the variable ------------------------------------------------------------------------------


class VariableV2(TensorLike, metaclass=VariableMetaclass):
    """What every variable is and can do; called, it makes a resource variable, as TensorFlow 2's does."""

    _is_trackable = True
    __array_priority__ = 100  # NumPy arrays leave ``array + variable`` to the variable
    SaveSliceInfo = SaveSliceInfo

    _initializer_op: Operation
    _initial_value: Any
    _caching_device: Any
    _constraint: Any
    _trainable: bool
    _synchronization: VariableSynchronization
    _aggregation: VariableAggregation
    _save_slice_info: Any
    _in_graph_mode: bool = True

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        import_scope: str | None = None,
        constraint: Any = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        shape: Any = None,
    ) -> None:
        raise NotImplementedError

    def _ref(self) -> Tensor:
        """The tensor that stands for the place: a reference or a resource handle."""
        raise NotImplementedError

    def value(self) -> Tensor:
        """The value, read where the variable was made or cached."""
        raise NotImplementedError

    def read_value(self) -> Tensor:
        """The value, read here: after what this place in the program waits for."""
        raise NotImplementedError

    # -- what it is ----------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the variable's tensor: ``w:0``."""
        return self._ref().name

    @property
    def _shared_name(self) -> str:
        return self.name[: self.name.index(":")]

    @property
    def op(self) -> Operation:
        """The op that stands for the variable."""
        return self._ref().op

    @property
    def graph(self) -> Any:
        """The graph that the variable belongs to."""
        return self._ref().graph

    @property
    def device(self) -> str:
        """The device that the variable is placed on."""
        return self._ref().device

    @property
    def dtype(self) -> DType:
        """The dtype; a reference type for a reference variable."""
        return self._ref().dtype

    @property
    def shape(self) -> TensorShape:
        """The shape, as far as it is known."""
        return self._ref().shape

    def get_shape(self) -> TensorShape:
        """The same as ``shape``."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Merge what is known of the shape with ``shape``."""
        self._ref().set_shape(shape)
        self.value().set_shape(shape)

    @property
    def trainable(self) -> bool:
        """Whether optimizers change it by default."""
        return self._trainable

    @property
    def synchronization(self) -> VariableSynchronization:
        return self._synchronization

    @property
    def aggregation(self) -> VariableAggregation:
        return self._aggregation

    @property
    def constraint(self) -> Any:
        """The function that optimizers apply after each update, or None."""
        return self._constraint

    @property
    def _distribute_strategy(self) -> None:
        return None

    def _as_graph_element(self) -> Tensor:
        return self._ref()

    def _set_save_slice_info(self, save_slice_info: Any) -> None:
        self._save_slice_info = save_slice_info

    def _get_save_slice_info(self) -> Any:
        return self._save_slice_info

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {"VARIABLE_VALUE": self}

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __iter__(self) -> NoReturn:
        error = TypeError("'Variable' object is not iterable.")
        error.add_note(f"  Fix:   tf.unstack({self._shared_name}) gives a list where the first dimension is known")
        raise error

    # -- its initial value ---------------------------------------------------------------------

    @property
    def initializer(self) -> Operation:
        """The op that gives the variable its initial value."""
        return self._initializer_op

    @property
    def initial_value(self) -> Any:
        """The tensor that the initializer assigns."""
        return self._initial_value

    def initialized_value(self) -> Tensor:
        """The value, or before the variable has one, its initial value."""
        if default_graph().is_eager:
            return self.read_value()
        with control_dependencies(None):
            return conditions.cond(state.is_variable_initialized(self), self.read_value, lambda: self._initial_value)

    # -- using it in a session -----------------------------------------------------------------

    def eval(self, session: Any = None) -> Any:
        """The value in ``session`` or the default one."""
        return self._as_graph_element().eval(session=session)

    def load(self, value: Any, session: Any = None) -> None:
        """Let the value in ``session`` or the default one be ``value``, without adding ops.

        Raises:
          ValueError: there is no session.
        """
        session = session or default_session()
        if session is None:
            error = ValueError("Either session argument should be provided or default session should be established")
            error.add_note("  Fix:   variable.load(value, session=sess)")
            raise error
        session.run(self.initializer, {self.initializer.inputs[1]: value})

    # -- changing it ---------------------------------------------------------------------------

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Let the variable be ``value``.  The result reads it; without ``read_value`` it is the op alone."""
        raise NotImplementedError

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Add ``delta`` to the variable."""
        raise NotImplementedError

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Take ``delta`` from the variable."""
        raise NotImplementedError

    def count_up_to(self, limit: int) -> Tensor:
        """The value before adding 1 to it; an ``OutOfRangeError`` once it has reached ``limit``."""
        return state.count_up_to(self, limit)

    def batch_scatter_update(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Set rows of each of a batch of matrices, see ``tf.batch_scatter_update``."""
        return scatters.batch_scatter_update(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def __iadd__(self, other: Any) -> Any:
        _warn_in_place("+", "variable.assign_add")
        return self + other  # type: ignore[operator]

    def __isub__(self, other: Any) -> Any:
        _warn_in_place("-", "variable.assign_sub")
        return self - other  # type: ignore[operator]

    def __imul__(self, other: Any) -> Any:
        _warn_in_place("*")
        return self * other  # type: ignore[operator]

    def __itruediv__(self, other: Any) -> Any:
        _warn_in_place("/")
        return self / other  # type: ignore[operator]

    def __ipow__(self, other: Any) -> Any:
        _warn_in_place("**")
        return self**other  # type: ignore[operator]

    # -- as data -------------------------------------------------------------------------------

    def to_proto(self, export_scope: str | None = None) -> Any:
        """A ``VariableDef``, or None if the variable is not inside ``export_scope``."""
        from tensorboard.compat.proto import variable_pb2

        if export_scope is not None and not self.name.startswith(export_scope):
            return None
        proto = variable_pb2.VariableDef(
            variable_name=without_scope(self.name, export_scope), trainable=self.trainable,
            initializer_name=without_scope(self.initializer.name, export_scope),
            snapshot_name=without_scope(self._snapshot_tensor().name, export_scope),
            synchronization=self.synchronization.value, aggregation=self.aggregation.value,
        )  # fmt: skip
        if self._initial_value is not None:
            proto.initial_value_name = without_scope(self._initial_value.name, export_scope)
        if self._save_slice_info:
            proto.save_slice_info_def.MergeFrom(self._save_slice_info.to_proto(export_scope))
        return proto

    def _snapshot_tensor(self) -> Tensor:
        return self.value()

    @staticmethod
    def from_proto(variable_def: Any, import_scope: str | None = None) -> Any:
        """The variable of the default graph that a ``VariableDef`` describes."""
        from retrograd.state.reference import RefVariable
        from retrograd.state.resource import ResourceVariable

        kind = ResourceVariable if variable_def.is_resource else RefVariable
        return kind(variable_def=variable_def, import_scope=import_scope)

    def _restore(self, proto: Any, scope: str | None) -> Tensor:
        """Take over what both kinds keep in a ``VariableDef``; the result is the variable's own tensor."""
        graph = default_graph()
        element = functools.partial(graph.as_graph_element, allow_operation=True)
        self._initializer_op = element(in_scope(proto.initializer_name, scope))
        self._initial_value = element(in_scope(proto.initial_value_name, scope)) if proto.initial_value_name else None
        self._synchronization, self._aggregation, self._trainable = checked_modes(
            proto.synchronization, proto.aggregation, proto.trainable, proto.variable_name
        )
        if proto.HasField("save_slice_info_def"):
            self._save_slice_info = self.SaveSliceInfo(
                save_slice_info_def=proto.save_slice_info_def, import_scope=scope
            )
        else:
            self._save_slice_info = None
        self._caching_device = self._constraint = None
        tensor: Tensor = element(in_scope(proto.variable_name, scope))
        return tensor


class VariableV1(VariableV2):
    """A value that a session keeps between runs: made by its initializer, changed by assignments.

    Args:
      initial_value: a tensor, an array or Python value, or a function that gives one.
      trainable: whether optimizers change it by default.
      collections: the graph collections that list it, by default ``GraphKeys.GLOBAL_VARIABLES``.
      validate_shape: whether its shape is that of ``initial_value``, for good.
      caching_device: the device on which its value is read, by default its own.
      dtype: the dtype that ``initial_value`` is converted to.
      constraint: a function of the value, applied by optimizers after each update.
      use_resource: whether it is a resource variable instead of a reference variable.

    Raises:
      ValueError: there is no initial value, or its shape is not fully known while it must be.

    >>> VariableV1([1.0, 2.0], name="w")
    <tf.Variable 'w:0' shape=(2,) dtype=float32_ref>
    """

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        expected_shape: Any = None,
        import_scope: str | None = None,
        constraint: Any = None,
        use_resource: bool | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        shape: Any = None,
    ) -> None:
        raise NotImplementedError


_SIGNATURES = {kind: inspect.signature(kind.__init__) for kind in (VariableV1, VariableV2)}


def _warn_in_place(operator: str, method: str | None = None) -> None:
    instead = method or f"`var.assign(var {operator} other)`"
    log.log_first_n(
        log.WARN,
        f"Variable {operator}= will be deprecated. Use {instead} if you want assignment to the variable "
        "value or "
        f"'x = x {operator} y' if you want a new python Tensor object.",
        1,
    )


operators.copy_to(VariableV2, lambda variable: variable.value())


def _getitem(self: VariableV2, item: Any) -> Any:
    """A part of the value; its ``assign`` method changes that part of the variable."""
    return slicing.slice_helper(self.value(), item, self)


VariableV2.__getitem__ = _getitem  # type: ignore[misc,attr-defined]


def _converted(value: VariableV1, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    if dtype and not dtype.is_compatible_with(value.dtype):
        error = ValueError(
            f"Incompatible type conversion requested to type '{dtype.name}' for variable of type '{value.dtype.name}'"
        )
        error.add_note(f"  Fix:   tf.cast({value._shared_name}, tf.{dtype.base_dtype.name})")
        raise error
    return value._ref() if as_ref else value.value()


register_tensor_conversion_function(VariableV2, _converted)

Variable = VariableV1


def collections_of(collections: Any, trainable: bool) -> list[Any]:
    """The collections that list a new variable.

    Raises:
      ValueError: ``collections`` is a single name.
    """
    if collections is None:
        collections = [GraphKeys.GLOBAL_VARIABLES]
    if not isinstance(collections, list | tuple | set):
        raise ValueError(
            "collections argument to Variable constructor must be a list, tuple, or set. "
            f"Got {collections} of type {type(collections)}"
        )
    if trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
        collections = [*collections, GraphKeys.TRAINABLE_VARIABLES]
    return list(collections)


def checked_shape(value: Tensor) -> None:
    """Raises ``ValueError`` if the shape of an initial value is not fully known."""
    if not value.shape.is_fully_defined():
        error = ValueError(f"initial_value must have a shape specified: {value}")
        place = value.op.place
        error.add_note(
            "  Why:   a variable keeps the shape of its initial value\n"
            + (f"  Where: {value.name} was built at {place}\n" if place else "")
            + "  Fix:   give the shape (placeholder, reshape, set_shape), or tf.Variable(..., "
            "validate_shape=False)"
        )
        raise error
