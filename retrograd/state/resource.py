"""Resource variables: a handle, and reads and writes in the order that the program says."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from retrograd.eager.lifted import BesideEager
from retrograd.eager.tensor import numpy_text
from retrograd.graph.apply import apply
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor, register_tensor_conversion_function
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.functions import FunctionGraph
from retrograd.graph.graph import Graph
from retrograd.graph.modes import init_scope
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import add_to_collections, colocate_with, control_dependencies, device, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.source import is_called_by_user
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.graph.uids import uid
from retrograd.ops import arrays, resources, scatters, slicing
from retrograd.state.guard import guarded
from retrograd.state.reference import checked_place, no_initial_value
from retrograd.state.slices import in_scope
from retrograd.state.variables import VariableV1, checked_modes, collections_of

_PREFERENCE = {"resource": False}


def enable_resource_variables() -> None:
    """Let variables be resource variables from now on."""
    _PREFERENCE["resource"] = True


def disable_resource_variables() -> None:
    """Let variables be reference variables from now on."""
    _PREFERENCE["resource"] = False


def resource_variables_enabled() -> bool:
    """Whether variables are resource variables by default."""
    return _PREFERENCE["resource"]


class BaseResourceVariable(VariableV1):
    """What a resource variable is and can do, however it was made."""

    _handle: Tensor
    _graph_element: Any  # a tensor; None in the body of a function, where nothing is fetched
    _cached_value: Tensor | None = None
    _dtype: DType
    _shape: TensorShape

    @property
    def handle(self) -> Tensor:
        """The handle, of dtype ``resource``."""
        return self._handle

    def _ref(self) -> Tensor:
        return self._handle

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def op(self) -> Operation:
        """The op that made the handle.

        Raises:
          AttributeError: the program asks for it where ops run at once.
        """
        if not self._in_graph_mode and is_called_by_user():
            raise AttributeError("Tensor.op is meaningless when eager execution is enabled.")
        return self._handle.op

    @property
    def graph(self) -> Any:
        """The graph that the variable belongs to.

        Raises:
          AttributeError: the program asks for it where ops run at once.
        """
        if not self._in_graph_mode and is_called_by_user():
            raise AttributeError("Tensor.graph is meaningless when eager execution is enabled.")
        return self._handle.graph

    @property
    def shape(self) -> TensorShape:
        return self._shape

    def _shape_as_list(self) -> list[int | None] | None:
        dims = self._shape._raw
        return None if dims is None else list(dims)

    def set_shape(self, shape: Any) -> NoReturn:
        raise NotImplementedError("ResourceVariable does not implement set_shape()")

    @property
    def create(self) -> Operation:
        """The op that gives the variable its initial value."""
        return self._initializer_op

    def _as_graph_element(self) -> Any:
        return self._graph_element

    def _snapshot_tensor(self) -> Any:
        return self._graph_element if self._cached_value is None else self._cached_value

    def to_proto(self, export_scope: str | None = None) -> Any:
        if not self._in_graph_mode:
            raise RuntimeError("to_proto not supported in EAGER mode.")
        proto = super().to_proto(export_scope)
        if proto is not None:
            proto.is_resource = True
        return proto

    # -- reading -------------------------------------------------------------------------------

    def _read_variable_op(self) -> Tensor:
        return resources.read_variable_op(self._handle, self._dtype)

    def value(self) -> Tensor:
        if self._cached_value is not None:
            return self._cached_value
        if default_graph().is_eager:
            return self._read_variable_op()
        with colocate_with(None, ignore_existing=True), device(self._handle.device):
            return self._read_variable_op()

    def read_value(self) -> Tensor:
        with name_scope("Read"), device(self._handle.device):
            value = self._read_variable_op()
        return arrays.identity(value)  # type: ignore[no-any-return]

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        """The rows of the value at ``indices``."""
        with name_scope(name or "Gather") as name:
            value = resources.resource_gather(self._handle, indices, self._dtype, name=name)
        return arrays.identity(value)  # type: ignore[no-any-return]

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        """The elements or slices of the value at the coordinates ``indices``."""
        with name_scope(name or "GatherNd") as name:
            value = resources.resource_gather_nd(self._handle, indices, self._dtype, name=name)
        return arrays.identity(value)  # type: ignore[no-any-return]

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Whether the variable has been given a value."""
        return resources.var_is_initialized_op(self._handle, name)

    def count_up_to(self, limit: int) -> Tensor:
        return resources.count_up_to(self._handle, limit, self._dtype)

    def __bool__(self) -> bool:
        return bool(self.read_value())

    # -- having the value at once --------------------------------------------------------------

    def numpy(self) -> Any:
        """The value, where ops run at once.

        Raises:
          NotImplementedError: a graph is being built.
        """
        if not default_graph().is_eager:
            error = NotImplementedError("numpy() is only available when eager execution is enabled.")
            error.add_note("  Fix:   sess.run(variable)")
            raise error
        return self.read_value().numpy()  # type: ignore[attr-defined]

    def __int__(self) -> int:
        return int(self.numpy())

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """A variable of its own that has the value of this one.

        Raises:
          NotImplementedError: it belongs to a graph.
        """
        if self._in_graph_mode:
            raise NotImplementedError("__deepcopy__() is only available when eager execution is enabled.")
        copied = memo[id(self)] = ResourceVariable(
            self.read_value(), trainable=self._trainable, constraint=self._constraint, dtype=self._dtype,
            name=self._shared_name,
        )  # fmt: skip
        return copied

    def __reduce__(self) -> Any:
        """What ``pickle`` makes it of again, where ops run at once."""
        kept: dict[str, Any] = {"trainable": self._trainable, "name": self._shared_name, "dtype": self._dtype}
        return functools.partial(ResourceVariable, self.numpy(), constraint=self._constraint, **kept), ()

    def eval(self, session: Any = None) -> Any:
        """The value in ``session`` or the default one.

        Raises:
          RuntimeError: it belongs to no graph.
        """
        if not self._in_graph_mode:
            raise RuntimeError("Trying to eval in EAGER mode")
        return super().eval(session)

    @property
    def initial_value(self) -> Any:
        """The tensor that the initializer assigns.

        Raises:
          RuntimeError: the variable was made without a graph.
        """
        if not self._in_graph_mode:
            raise RuntimeError("initial_value not supported in EAGER mode.")
        return self._initial_value

    def load(self, value: Any, session: Any = None) -> None:
        if self._in_graph_mode:
            super().load(value, session)
        else:
            self.assign(value)

    def __repr__(self) -> str:
        if self._in_graph_mode or not default_graph().is_eager:
            return super().__repr__()
        text = numpy_text(self.read_value(), is_repr=True)  # type: ignore[arg-type]
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, numpy={text}>"

    def __copy__(self) -> BaseResourceVariable:
        return self

    # -- writing -------------------------------------------------------------------------------

    def _where_built(self) -> Graph:
        """The graph for ops on the variable: its own, unless the body of a function is built."""
        graph = default_graph()
        return graph if graph.building_function else self._handle.graph

    @contextmanager
    def _after_cached_read(self) -> Iterator[None]:
        with (
            self._where_built().as_default(),
            control_dependencies([] if self._cached_value is None else [self._cached_value]),
        ):
            yield

    def _lazy_read(self, op: Operation) -> UnreadVariable:
        result = UnreadVariable(self._handle, self._dtype, self._shape, op)
        result._in_graph_mode = not op.graph.is_eager
        return result

    def _done(self, op: Operation, read_value: bool) -> Any:
        if read_value:
            return self._lazy_read(op)
        return None if op.graph.is_eager else op

    def assign(
        self, value: Any, use_locking: bool | None = None, name: str | None = None, read_value: bool = True
    ) -> Any:
        with self._where_built().as_default():
            value = as_tensor(value, self._dtype)
            self._shape.assert_is_compatible_with(value.shape)
            return self._done(resources.assign_variable_op(self._handle, value, name), read_value)

    def assign_add(
        self, delta: Any, use_locking: bool | None = None, name: str | None = None, read_value: bool = True
    ) -> Any:
        with self._after_cached_read():
            op = resources.assign_add_variable_op(self._handle, as_tensor(delta, self._dtype), name)
        return self._done(op, read_value)

    def assign_sub(
        self, delta: Any, use_locking: bool | None = None, name: str | None = None, read_value: bool = True
    ) -> Any:
        with self._after_cached_read():
            op = resources.assign_sub_variable_op(self._handle, as_tensor(delta, self._dtype), name)
        return self._done(op, read_value)

    def _strided_slice_assign(
        self, begin: Any, end: Any, strides: Any, value: Any, name: str | None, **masks: int
    ) -> Any:
        with self._after_cached_read():
            value = as_tensor(value, self._dtype)
            op = apply(
                slicing.RESOURCE_STRIDED_SLICE_ASSIGN,
                self._handle,
                begin,
                end,
                strides,
                value,
                name=name,
                **masks,
            )
        return self._lazy_read(op)

    def scatter_sub(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Take the rows of ``sparse_delta`` (``IndexedSlices``) from the variable."""
        return self._scatter(scatters.scatter_sub, sparse_delta, name)

    def scatter_add(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Add the rows of ``sparse_delta`` to the variable."""
        return self._scatter(scatters.scatter_add, sparse_delta, name)

    def scatter_max(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Let rows be the maximum of themselves and those of ``sparse_delta``."""
        return self._scatter(scatters.scatter_max, sparse_delta, name)

    def scatter_min(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Let rows be the minimum of themselves and those of ``sparse_delta``."""
        return self._scatter(scatters.scatter_min, sparse_delta, name)

    def scatter_mul(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Multiply rows by those of ``sparse_delta``."""
        return self._scatter(scatters.scatter_mul, sparse_delta, name)

    def scatter_div(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Divide rows by those of ``sparse_delta``."""
        return self._scatter(scatters.scatter_div, sparse_delta, name)

    def scatter_update(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Any:
        """Let rows be those of ``sparse_delta``."""
        return self._scatter(scatters.scatter_update, sparse_delta, name)

    def _scatter(self, update: Any, sparse_delta: Any, name: str | None) -> Any:
        if not isinstance(sparse_delta, IndexedSlices):
            error = TypeError(f"sparse_delta is not IndexedSlices: {sparse_delta}")
            error.add_note("  Fix:   tf.IndexedSlices(values, indices)")
            raise error
        return update(self, sparse_delta.indices, sparse_delta.values, name=name)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Take ``updates`` from the elements or slices at ``indices``."""
        return scatters.scatter_nd_sub(self, indices, updates, name=name)

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Add ``updates`` to the elements or slices at ``indices``."""
        return scatters.scatter_nd_add(self, indices, updates, name=name)

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Let the elements or slices at ``indices`` be ``updates``."""
        return scatters.scatter_nd_update(self, indices, updates, name=name)


class NeedsValue(ValueError):
    """A variable of eager execution would begin with a tensor of a function's graph, which has no value."""


class ResourceVariable(BaseResourceVariable):
    """A variable behind a handle: what ``tf.Variable(..., use_resource=True)`` makes."""

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        dtype: Any = None,
        variable_def: Any = None,
        import_scope: str | None = None,
        constraint: Any = None,
        distribute_strategy: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
        expected_shape: Any = None,
    ) -> None:
        if variable_def:
            if initial_value is not None:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            self._restore_resource(variable_def, import_scope)
            return
        self._synchronization, self._aggregation, self._trainable = checked_modes(
            synchronization, aggregation, trainable, name
        )
        if initial_value is None:
            raise no_initial_value()
        collections = collections_of(collections, self._trainable)
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        self._caching_device, self._constraint, self._save_slice_info = caching_device, constraint, None
        values = [] if callable(initial_value) else [initial_value]
        with init_scope(), name_scope(name, "Variable", values) as scope:
            if default_graph().is_eager:
                self._begin(scope[:-1], initial_value, dtype, shape)
                add_to_collections(collections, self)
                return
            if isinstance(default_graph(), FunctionGraph) and isinstance(default_graph(), BesideEager):
                raise NeedsValue(
                    "Tensor-typed variable initializers must either be wrapped in an init_scope or callable (e.g., "
                    "`tf.Variable(lambda : tf.truncated_normal([10, 40]))`) when building functions."
                )
            with default_graph()._attr_scope({"_class": [f"loc:@{scope[:-1]}".encode()]}):
                with name_scope("Initializer"), device(None):
                    value = initial_value() if callable(initial_value) else initial_value
                    value = as_tensor(value, dtype, name="initial_value")
                checked_place(scope, value)
                self._shape = checked_shape(value, shape)
                self._dtype = value.dtype.base_dtype
                self._handle = resources.var_handle_op(self._dtype, self._shape, shared_name=scope[:-1], name=scope)
            self._initial_value = value
            with name_scope("IsInitialized"):
                self._is_initialized_op = resources.var_is_initialized_op(self._handle)
            with (
                name_scope("Assign") as assign_scope,
                colocate_with(None, ignore_existing=True),
                device(self._handle.device),
            ):
                initial = guarded(scope, value)
                self._initializer_op = resources.assign_variable_op(self._handle, initial, name=assign_scope)
            with name_scope("Read"):
                self._build_read()
            add_to_collections(collections, self)

    def _begin(self, name: str, initial_value: Any, dtype: Any, shape: Any) -> None:
        """Have the initial value at once."""
        self._in_graph_mode = False
        self._unique_id = f"{name}_{uid()}"
        with name_scope("Initializer"):
            value = as_tensor(initial_value() if callable(initial_value) else initial_value, dtype)
        self._shape, self._dtype = checked_shape(value, shape), value.dtype.base_dtype
        resources.assign_variable_op(self._own_handle(name), value)

    def _own_handle(self, name: str) -> Tensor:
        """The handle of a variable that lives as long as it does."""
        handle = resources.var_handle_op(self._dtype, self._shape, shared_name=self._unique_id, name=f"{name}/")
        self._handle, self._graph_element, self._initializer_op = handle, None, None  # type: ignore[assignment]
        self._initial_value = None
        handle.holder = weakref.ref(self)  # type: ignore[attr-defined]
        if self._trainable:
            handle.variable = handle.holder  # type: ignore[attr-defined]
        return handle

    def _build_read(self) -> None:
        with device(self._handle.device):
            self._graph_element = self._read_variable_op()
        if self._caching_device is not None:
            with colocate_with(None, ignore_existing=True), device(self._caching_device):
                self._cached_value = arrays.identity(self._graph_element)

    def _restore_resource(self, proto: Any, scope: str | None) -> None:
        if not proto.is_resource:
            raise ValueError("Trying to restore Variable as ResourceVariable.")
        self._handle = self._restore(proto, scope)
        self._shape, self._dtype = self._handle.op.attrs["shape"], self._handle.op.attrs["dtype"]
        name = in_scope(proto.snapshot_name, scope) if proto.snapshot_name else f"{self.op.name}/Read/ReadVariableOp:0"
        read: Tensor = default_graph().as_graph_element(name)
        self._cached_value = None if read.op.type == "ReadVariableOp" else read
        while read.op.type != "ReadVariableOp":
            read = read.op.inputs[0]
        self._graph_element = read


class UninitializedVariable(ResourceVariable):
    """A variable that has no initial value: an assignment gives it one, or a checkpoint."""

    def __init__(
        self,
        trainable: bool | None = None,
        caching_device: Any = None,
        name: str | None = None,
        shape: Any = None,
        dtype: Any = None,
        constraint: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        collections: Any = None,
    ) -> None:
        self._synchronization, self._aggregation, self._trainable = checked_modes(
            synchronization, aggregation, trainable, name
        )
        self._caching_device, self._constraint, self._save_slice_info = caching_device, constraint, None
        self._shape, self._dtype = TensorShape(shape), as_dtype(dtype)
        with init_scope(), name_scope(name, "Variable") as scope:
            if default_graph().is_eager:
                self._in_graph_mode, self._unique_id = False, f"{scope[:-1]}_{uid()}"
                self._own_handle(scope[:-1])
            else:
                self._handle = resources.var_handle_op(self._dtype, self._shape, shared_name=scope[:-1], name=scope)
                self._initializer_op = self._initial_value = None  # type: ignore[assignment]
                with name_scope("Read"):
                    self._build_read()
            add_to_collections([GraphKeys.GLOBAL_VARIABLES] if collections is None else collections, self)


def checked_shape(value: Tensor, shape: Any) -> TensorShape:
    """The shape of a variable that begins with ``value`` and is to have ``shape``, if one is given.

    Raises:
      ValueError: the two do not fit together.
    """
    if shape is None:
        return value.shape
    if not value.shape.is_compatible_with(shape):
        raise ValueError(
            f"The initial value's shape ({value.shape}) is not compatible with the explicitly supplied "
            f"`shape` argument ({shape})."
        )
    return TensorShape(shape)


class UnreadVariable(BaseResourceVariable):
    """What an assignment of a resource variable gives: the variable as it is after that."""

    def __init__(self, handle: Tensor, dtype: DType, shape: TensorShape, parent_op: Operation) -> None:
        self._handle, self._dtype, self._shape, self._parent_op = handle, dtype, shape, parent_op
        self._synchronization, self._aggregation, self._trainable = checked_modes(None, None, None, None)
        self._constraint = self._caching_device = self._save_slice_info = self._initial_value = None
        graph = default_graph()
        self._graph_element = None if graph.building_function or graph.is_eager else self._read_variable_op()

    @property
    def name(self) -> str:
        return self._parent_op.name if self._in_graph_mode else "UnreadVariable"

    @property
    def op(self) -> Operation:
        return self._parent_op

    def _read_variable_op(self) -> Tensor:
        with control_dependencies([self._parent_op]):
            return super()._read_variable_op()

    def value(self) -> Tensor:
        return self._read_variable_op()

    def read_value(self) -> Tensor:
        return self._read_variable_op()


def _converted(value: BaseResourceVariable, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    if dtype and not dtype.is_compatible_with(value.dtype):
        raise ValueError(
            f"Incompatible type conversion requested to type '{dtype.name}' for variable of type '{value.dtype.name}'"
        )
    return value.read_value().op.inputs[0] if as_ref else value.value()


register_tensor_conversion_function(BaseResourceVariable, _converted, 99)


def is_resource_variable(var: Any) -> bool:
    """Whether ``var`` is a resource variable."""
    return isinstance(var, BaseResourceVariable) or hasattr(var, "_should_act_as_resource_variable")
