"""Reference variables: TensorFlow 1's default, a ``VariableV2`` op and a snapshot of its value."""

from __future__ import annotations

from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.modes import init_scope
from retrograd.graph.scopes import add_to_collections, colocate_with, device, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, scatters, slicing, state
from retrograd.state.guard import guarded
from retrograd.state.slices import in_scope
from retrograd.state.variables import VariableV1, checked_modes, checked_shape, collections_of


class RefVariable(VariableV1):
    """A variable whose tensor (dtype ``float32_ref``) is a reference that assignments take."""

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
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
    ) -> None:
        if variable_def:
            if initial_value:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            self._variable = self._restore(variable_def, import_scope)
            snapshot = variable_def.snapshot_name or f"{self._variable.op.name}/read:0"
            self._snapshot = default_graph().as_graph_element(in_scope(snapshot, import_scope))
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
            if callable(initial_value):
                with default_graph()._attr_scope({"_class": [f"loc:@{scope[:-1]}".encode()]}):
                    with name_scope("Initializer"), device(None):
                        self._build_value(initial_value(), dtype)
                    self._build_place(scope, shape, validate_shape)
            else:
                self._build_value(initial_value, dtype)
                checked_place(scope, self._initial_value)
                self._build_place(scope, shape, validate_shape)
            if validate_shape:
                checked_shape(self._initial_value)
            initial = guarded(scope, self._initial_value)
            self._initializer_op = state.assign(self._variable, initial, validate_shape).op
            with device(caching_device) if caching_device is not None else colocate_with(self._variable.op):
                self._snapshot = arrays.identity(self._variable, name="read")
            add_to_collections(collections, self)

    def _build_value(self, value: Any, dtype: Any) -> None:
        self._initial_value = as_tensor(value, dtype, name="initial_value")

    def _build_place(self, scope: str, shape: Any, validate_shape: bool) -> None:
        if shape is None:
            shape = self._initial_value.shape if validate_shape else TensorShape(None)
        self._variable = state.variable_op_v2(shape, self._initial_value.dtype.base_dtype, name=scope)

    def _ref(self) -> Tensor:
        return self._variable

    def value(self) -> Tensor:
        return self._snapshot

    def read_value(self) -> Tensor:
        result: Tensor = arrays.identity(self._variable, name="read")
        return result

    # -- changing it ---------------------------------------------------------------------------

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        result = state.assign(self._variable, value, use_locking=use_locking, name=name)
        return result if read_value else result.op

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        result = state.assign_add(self._variable, delta, use_locking=use_locking, name=name)
        return result if read_value else result.op

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        result = state.assign_sub(self._variable, delta, use_locking=use_locking, name=name)
        return result if read_value else result.op

    def scatter_sub(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Tensor:
        """Take the rows of ``sparse_delta`` (``IndexedSlices``) from the variable."""
        return self._scatter(scatters.scatter_sub, sparse_delta, use_locking, name)

    def scatter_add(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Tensor:
        """Add the rows of ``sparse_delta`` to the variable."""
        return self._scatter(scatters.scatter_add, sparse_delta, use_locking, name)

    def scatter_max(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Tensor:
        """Let rows be the maximum of themselves and those of ``sparse_delta``."""
        return self._scatter(scatters.scatter_max, sparse_delta, use_locking, name)

    def scatter_min(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Tensor:
        """Let rows be the minimum of themselves and those of ``sparse_delta``."""
        return self._scatter(scatters.scatter_min, sparse_delta, use_locking, name)

    def scatter_mul(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Tensor:
        """Multiply rows by those of ``sparse_delta``."""
        return self._scatter(scatters.scatter_mul, sparse_delta, use_locking, name)

    def scatter_div(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Tensor:
        """Divide rows by those of ``sparse_delta``."""
        return self._scatter(scatters.scatter_div, sparse_delta, use_locking, name)

    def scatter_update(self, sparse_delta: Any, use_locking: bool = False, name: str | None = None) -> Tensor:
        """Let rows be those of ``sparse_delta``."""
        return self._scatter(scatters.scatter_update, sparse_delta, use_locking, name)

    def _scatter(self, update: Any, sparse_delta: Any, use_locking: bool, name: str | None) -> Tensor:
        if not isinstance(sparse_delta, IndexedSlices):
            error = TypeError(f"sparse_delta is not IndexedSlices: {sparse_delta}")
            error.add_note("  Fix:   tf.IndexedSlices(values, indices)")
            raise error
        result: Tensor = update(self._variable, sparse_delta.indices, sparse_delta.values, use_locking, name)
        return result

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Tensor:
        """Take ``updates`` from the elements or slices at ``indices``."""
        return scatters.scatter_nd_sub(self._variable, indices, updates, True, name)

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Tensor:
        """Add ``updates`` to the elements or slices at ``indices``."""
        return scatters.scatter_nd_add(self._variable, indices, updates, True, name)

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Tensor:
        """Let the elements or slices at ``indices`` be ``updates``."""
        return scatters.scatter_nd_update(self._variable, indices, updates, True, name)

    def _strided_slice_assign(
        self, begin: Any, end: Any, strides: Any, value: Any, name: str | None, **masks: int
    ) -> Any:
        return slicing.strided_slice_assign(self._variable, begin, end, strides, value, **masks, name=name)

    def count_up_to(self, limit: int) -> Tensor:
        return state.count_up_to(self._variable, limit)


def checked_place(scope: str, value: Tensor) -> None:
    """Raises ``ValueError`` if ``value`` is computed in a branch or a loop: no initializer outside can have it."""
    if value.op.context is not None:
        raise ValueError(
            f"Initializer for variable {scope} is from inside a control-flow construct, such as a loop or "
            "conditional. When creating a variable inside a loop or conditional, use a lambda as the initializer."
        )


def no_initial_value() -> ValueError:
    """The error for a variable that was given no initial value."""
    error = ValueError("initial_value must be specified.")
    error.add_note("  Fix:   tf.Variable(tf.zeros([2, 3])), or tf.get_variable('w', [2, 3])")
    return error
