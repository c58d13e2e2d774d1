"""Variables cut into parts along one axis: partitioners and ``PartitionedVariable``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor, register_tensor_conversion_function
from retrograd.graph.dtypes import DType
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape, as_shape
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.ops import arrays, joining, slicing
from retrograd.state.slices import SaveSliceInfo

if TYPE_CHECKING:
    from retrograd.state.variable_store import VariableStore

Partitioner = Callable[..., Sequence[int]]  # (shape=, dtype=) -> the number of parts along each axis


# -- partitioners ------------------------------------------------------------------------------


def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Partitioner:
    """Cut ``axis`` into ``num_shards`` parts, or as many as it has elements."""

    def partitioner(shape: Any, **_: Any) -> list[int]:
        parts = [1] * len(shape)
        parts[axis] = min(num_shards, shape.dims[axis].value)
        return parts

    return partitioner


def variable_axis_size_partitioner(
    max_shard_bytes: int, axis: int = 0, bytes_per_string_element: int = 16, max_shards: int | None = None
) -> Partitioner:
    """Cut ``axis`` so that no part is larger than ``max_shard_bytes``."""
    if max_shard_bytes < 1 or bytes_per_string_element < 1:
        raise ValueError("Both max_shard_bytes and bytes_per_string_element must be positive.")
    if max_shards and max_shards < 1:
        raise ValueError("max_shards must be positive.")

    def partitioner(shape: Any, dtype: DType) -> list[int]:
        if not isinstance(shape, TensorShape):
            raise ValueError(f"shape is not a TensorShape: {shape}")
        if not shape.is_fully_defined():
            raise ValueError(f"shape is not fully defined: {shape}")
        if not isinstance(dtype, DType):
            raise ValueError(f"dtype is not a DType: {dtype}")
        length: Any = shape[axis].value
        slice_bytes = (shape.num_elements() or 0) / length * _element_bytes(dtype, bytes_per_string_element)
        count = math.ceil(length / max(1, math.floor(max_shard_bytes / slice_bytes)))
        parts = [1] * len(shape)
        parts[axis] = min(max_shards, count) if max_shards else count
        return parts

    return partitioner


def min_max_variable_partitioner(
    max_partitions: int = 1,
    axis: int = 0,
    min_slice_size: int = 256 << 10,
    bytes_per_string_element: int = 16,
) -> Partitioner:
    """Cut ``axis`` into up to ``max_partitions`` parts of at least ``min_slice_size`` bytes."""

    def partitioner(shape: Any, dtype: DType) -> list[int]:
        if axis >= len(shape):
            raise ValueError(f"Can not partition variable along axis {axis} when shape is only {shape}")
        size = shape.num_elements() * _element_bytes(dtype, bytes_per_string_element)
        parts = [1] * len(shape)
        parts[axis] = max(1, min(shape.dims[axis].value, max_partitions, math.ceil(size / min_slice_size)))
        return parts

    return partitioner


def _element_bytes(dtype: DType, bytes_per_string: int) -> int:
    return bytes_per_string if dtype.base_dtype == dtypes.string else dtype.size


# -- the variable ------------------------------------------------------------------------------


class PartitionedVariable(TensorLike):
    """Several variables that are read as one tensor: their values joined along the axis that was cut."""

    def __init__(self, name: str, shape: Any, dtype: Any, variable_list: Any, partitions: Any) -> None:
        if not isinstance(variable_list, list | tuple):
            raise TypeError(f"variable_list is not a list or tuple: {variable_list}")
        if not isinstance(partitions, list | tuple):
            raise TypeError(f"partitions is not a list or tuple: {partitions}")
        if not all(p >= 1 for p in partitions):
            raise ValueError(f"partition values must be positive: {partitions}")
        if not variable_list:
            raise ValueError("variable_list may not be empty")
        infos = [v._get_save_slice_info() for v in variable_list]
        if None in infos:
            raise ValueError(f"All variables must have a save_slice_info available: {[v.name for v in variable_list]}")
        if len(shape) != len(partitions):
            raise ValueError(f"len(shape) != len(partitions): {shape} vs. {partitions}")
        for info in infos:
            if info.full_shape != shape:
                raise ValueError(
                    f"All variables' full shapes must match shape: {shape}; but full shapes were: {[info.full_shape]}"
                )
        self._variable_list = sorted(variable_list, key=lambda v: v._get_save_slice_info().var_offset)
        self._name, self._shape, self._dtype, self._partitions = name, shape, dtype, partitions

    name = property(lambda self: self._name, doc="The name of the whole.")
    dtype = property(lambda self: self._dtype, doc="The dtype of the parts.")
    shape = property(lambda self: self._shape, doc="The shape of the whole.")
    graph = property(lambda self: self._variable_list[0].graph, doc="The graph of the parts.")

    def get_shape(self) -> Any:
        """The same as ``shape``."""
        return self._shape

    def __iter__(self) -> Iterator[Any]:
        return iter(self._variable_list)

    def __len__(self) -> int:
        axes = self._partition_axes()
        if len(axes) > 1:
            raise ValueError(f"Cannot get a length for {len(axes)} > 1 partition axes")
        return len(self._variable_list)

    def _get_variable_list(self) -> list[Any]:
        return self._variable_list

    def _get_partitions(self) -> Any:
        return self._partitions

    def _partition_axes(self) -> list[int]:
        return [i for i, p in enumerate(self._partitions) if p > 1] or [0]

    def _partition_axis(self, message: str) -> int:
        axes = self._partition_axes()
        if len(axes) > 1:
            raise NotImplementedError(message % axes)
        return axes[0]

    def _concat(self) -> Tensor:
        whole: Any = self._variable_list[0]
        if len(self._variable_list) > 1:
            axis = self._partition_axis(
                "Cannot concatenate along more than one dimension: %s.  Multi-axis partition concat is not supported"
            )
            with name_scope(f"{self._name}/ConcatPartitions/"):
                whole = joining.concat(self._variable_list, axis)
        with name_scope(None):
            return arrays.identity(whole, name=self._name)  # type: ignore[no-any-return]

    def as_tensor(self) -> Tensor:
        """The value of the whole."""
        with control_dependencies(None):
            return self._concat()

    def _apply_assign_fn(self, assign: Callable[[Any, Any], Any], value: Any) -> list[Any]:
        axis = self._partition_axis(
            "Cannot do assign action along more than one dimension: %s.  Multi-axis partition assign action "
            "is not "
            "supported "
        )
        if isinstance(value, list | PartitionedVariable):
            parts = list(value)
        else:
            sizes = [v.shape.dims[axis].value for v in self._variable_list]
            parts = joining.split(value, sizes, axis=axis)
        return [assign(v, part) for v, part in zip(self._variable_list, parts, strict=True)]

    def assign(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> list[Any]:
        """Let the parts be those of ``value``: a tensor, a list of parts or another partitioned variable."""
        done = self._apply_assign_fn(lambda v, x: v.assign(x, use_locking, name, read_value), value)
        return done if read_value else [d.op for d in done]

    def assign_add(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> list[Any]:
        """Add to each part that of ``value``."""
        done = self._apply_assign_fn(lambda v, x: v.assign_add(x, use_locking, name, read_value), value)
        return done if read_value else [d.op for d in done]

    def assign_sub(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> list[Any]:
        """Take from each part that of ``value``."""
        done = self._apply_assign_fn(lambda v, x: v.assign_sub(x, use_locking, name, read_value), value)
        return done if read_value else [d.op for d in done]


def _converted(value: PartitionedVariable, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Tensor:
    if dtype is not None and not dtype.is_compatible_with(value.dtype):
        raise ValueError(
            f"Incompatible type conversion requested to type '{dtype.name}' for variable of type '{value.dtype.name}'"
        )
    if as_ref:
        raise NotImplementedError("PartitionedVariable doesn't support being used as a reference.")
    return value.as_tensor()


register_tensor_conversion_function(PartitionedVariable, _converted)


class PartitionInfo:
    """What the initializer of a part learns of the whole: its shape, and where in it the part begins."""

    def __init__(self, full_shape: Any, var_offset: Any) -> None:
        for name, value in (("full_shape", full_shape), ("var_offset", var_offset)):
            if not isinstance(value, Sequence) or isinstance(value, str):
                raise TypeError(f"`{name}` must be a sequence (like tuple or list) instead of {type(value).__name__}")
        if len(var_offset) != len(full_shape):
            raise ValueError(
                f"Expected equal length, but `var_offset` is of length {len(var_offset)} while full_shape "
                "is of "
                f"length {len(full_shape)}."
            )
        for offset, size in zip(var_offset, full_shape, strict=True):
            if offset < 0 or offset >= size:
                raise ValueError(
                    f"Expected 0 <= offset < shape but found offset={offset}, shape={size} for "
                    f"var_offset={var_offset}, full_shape={full_shape}"
                )
        self.full_shape = full_shape
        self.var_offset = var_offset

    def single_offset(self, shape: Any) -> int:
        """Where a part of this shape begins, along the axis that was cut."""
        axis = self.single_slice_dim(shape)
        return 0 if axis is None else self.var_offset[axis]

    def single_slice_dim(self, shape: Any) -> int | None:
        """The axis along which a part of this shape was cut; None if it is the whole."""
        if not isinstance(shape, tuple | list):
            raise TypeError(f"`shape` must be a sequence (like tuple or list) instead of {type(shape).__name__}")
        if len(shape) != len(self.full_shape):
            raise ValueError(
                f"Expected equal length, but received shape={shape} of length {len(shape)} while "
                f"self.full_shape={self.full_shape} is of length {len(self.full_shape)}."
            )
        for i, size in enumerate(shape):
            if self.var_offset[i] + size > self.full_shape[i]:
                raise ValueError(
                    f"With self.var_offset={self.var_offset}, a partition of shape={shape} would exceed "
                    f"self.full_shape={self.full_shape} in dimension {i}."
                )
        cut = [i for i, size in enumerate(shape) if size != self.full_shape[i]]
        if len(cut) > 1:
            raise ValueError(
                f"Cannot use single_slice_dim() with shape={shape} and self.full_shape={self.full_shape} "
                "since slice "
                f"dim could be either dimension {cut[1]} or {cut[0]}."
            )
        return cut[0] if cut else None


# -- making them -------------------------------------------------------------------------------


def get_partitioned_variable(
    store: VariableStore,
    name: str,
    partitioner: Partitioner | None,
    shape: Any = None,
    dtype: Any = dtypes.float32,
    initializer: Any = None,
    reuse: Any = None,
    **arguments: Any,
) -> PartitionedVariable:
    """The partitioned variable called ``name``, or a new one; its parts are called ``name/part_0``, ..."""
    if name in store._vars:
        raise ValueError(
            f"A partitioner was provided, but an unpartitioned version of the variable was found: {name}.  "
            "Perhaps a variable of the same name was already created without partitioning?"
        )
    shape = as_shape(shape)
    if isinstance(initializer, Tensor):
        shape = shape.merge_with(initializer.get_shape())
    partitions = _checked_parts(partitioner, shape, dtype) if partitioner is not None else None
    if name in store._partitioned_vars:
        return _found(store._partitioned_vars[name], name, shape, dtype, partitions, reuse)
    if reuse is True:
        raise ValueError(
            f"PartitionedVariable {name} does not exist, or was not created with tf.get_variable(). "
            "Did you mean to set reuse=False or reuse=tf.AUTO_REUSE in VarScope?"
        )
    assert partitions is not None
    axis, count = next(((i, n) for i, n in enumerate(partitions) if n > 1), (0, 1))
    _check_parts_there(store, name, count)
    parts = []
    for i, (offset, part_shape) in enumerate(_cuts(shape.as_list(), axis, count)):
        with name_scope(f"{name}/part_{i}/PartitionedInitializer"):
            initial, dtype, given_shape = _part_of(initializer, dtype, offset, part_shape)
        with name_scope(None):
            part = store.get_single_variable(
                f"{name}/part_{i}", shape=given_shape, dtype=dtype, initializer=initial, reuse=reuse,
                partition_info=PartitionInfo(shape.as_list(), offset), **arguments,
            )  # fmt: skip
        part._set_save_slice_info(SaveSliceInfo(name, shape.as_list(), offset, part_shape))
        parts.append(part)
    variable = PartitionedVariable(name, shape, dtype, parts, partitions)
    if store.keeps_eager_variables or not default_graph().is_eager:
        store._partitioned_vars[name] = variable
    return variable


def _checked_parts(partitioner: Partitioner, shape: TensorShape, dtype: Any) -> Sequence[int]:
    if not shape.is_fully_defined():
        raise ValueError(f"Shape of a new partitioned variable must be fully defined, but instead was {shape}.")
    if not shape.ndims:
        raise ValueError(f"A partitioned Variable must have rank at least 1, shape: {shape}")
    parts = partitioner(shape=shape, dtype=dtype)
    if not isinstance(parts, Sequence):
        raise ValueError(f"Partitioner must return a sequence, but saw: {parts}")
    if len(parts) != shape.ndims:
        raise ValueError(
            f"Partitioner returned a partition list that does not match the Variable's rank: {parts} vs. {shape}"
        )
    if any(p < 1 for p in parts):
        raise ValueError(f"Partitioner returned zero partitions for some axes: {parts}")
    if sum(p > 1 for p in parts) > 1:
        raise ValueError(f"Can only slice a variable along one dimension: shape: {shape}, partitioning: {parts}")
    return parts


def _found(
    variable: Any, name: str, shape: TensorShape, dtype: Any, partitions: Any, reuse: Any
) -> PartitionedVariable:
    if reuse is False:
        raise ValueError(
            f"Partitioned variable with name {name} already exists. Did you mean to set reuse=True or "
            "reuse=tf.AUTO_REUSE in VarScope?"
        )
    wrong = f"Trying to reuse partitioned variable {name}, but specified"
    if not shape.is_compatible_with(variable.get_shape()):
        raise ValueError(f"{wrong} shape {shape} and found shape {variable.get_shape()}.")
    if not dtype.is_compatible_with(variable.dtype):
        raise ValueError(f"{wrong} dtype {dtype.name} and found dtype {variable.dtype.name}.")
    if partitions is not None and variable._get_partitions() != partitions:
        raise ValueError(f"{wrong} partitions {partitions} and found partitions {variable._get_partitions()}.")
    found: PartitionedVariable = variable
    return found


def _check_parts_there(store: VariableStore, name: str, count: int) -> None:
    if f"{name}/part_0" not in store._vars:
        return
    wrong = (
        "Partitioner returned a different partitioning than what was already found.  Partitioner returned "
        f"{count} shards, and shard {name}/part_0 was found, but"
    )
    if f"{name}/part_{count - 1}" not in store._vars:
        raise ValueError(f"{wrong} {name}/part_{count - 1} was not.")
    if f"{name}/part_{count}" in store._vars:
        raise ValueError(f"{wrong} so was the extra shard {name}/part_{count}.")


def _cuts(full: list[int], axis: int, count: int) -> Iterator[tuple[list[int], list[int]]]:
    """(offset, shape) of each part; the first ones are longer by one where the sizes do not come out even."""
    least, longer = divmod(full[axis], count)
    offset = [0] * len(full)
    for i in range(count):
        shape = list(full)
        shape[axis] = least + (i < longer)
        yield list(offset), shape
        offset[axis] += shape[axis]


def _part_of(initializer: Any, dtype: Any, offset: list[int], shape: list[int]) -> tuple[Any, Any, Any]:
    """The initializer of one part, the dtype, and the shape to make it with (None for a value)."""
    if initializer is None or callable(initializer):
        return initializer, dtype, shape
    if isinstance(initializer, Tensor):
        part = slicing.slice_(initializer, offset, shape)
        return part, part.dtype.base_dtype, None
    return slicing.slice_(as_tensor(initializer, dtype), offset, shape), dtype, None


def create_partitioned_variables(
    shape: Any,
    slicing: Any,
    initializer: Any,
    dtype: Any = dtypes.float32,
    trainable: bool = True,
    collections: Any = None,
    name: str | None = None,
    reuse: Any = None,
) -> list[Any]:
    """The parts of a variable that ``slicing`` cuts: the number of parts along each axis."""
    from retrograd.state.scopes import get_variable_scope, variable_scope
    from retrograd.state.variable_store import default_variable_store

    if len(shape) != len(slicing):
        raise ValueError(
            "The 'shape' and 'slicing' of a partitioned Variable must have the length: "
            f"shape: {shape}, slicing: {slicing}"
        )
    if len(shape) < 1:
        raise ValueError(f"A partitioned Variable must have rank at least 1: shape: {shape}")
    with variable_scope(name, "PartitionedVariable", reuse=reuse):
        whole = get_variable_scope()._get_partitioned_variable(
            default_variable_store(), None, lambda **_: slicing, shape=shape, dtype=dtype,
            initializer=initializer,
            trainable=trainable, collections=collections,
        )  # fmt: skip
    return list(whole)
