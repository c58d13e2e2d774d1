"""What is known of a tensor's value while building."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import shapes
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.tensor import Tensor, TensorLike

Array = np.ndarray[Any, Any]
_LARGEST_FOLDED = 10_000  # elements; a shape, an axis or a size is never larger
_DEEPEST = 50  # ops between a constant and what follows from it


def static_value(tensor: Any, depth: int = 0) -> Array | None:
    """The value that ``tensor`` has in every run, if it follows from constants and static shapes.

    This is what shape rules read, as TensorFlow's shape inference folds constants.
    """
    if not isinstance(tensor, Tensor):
        return np.asarray(tensor)
    op = tensor.op
    if op.type == "Const":
        constant: Array = op.attrs["value"]
        return constant
    if not op.inputs or depth > _DEEPEST or op.type == "PlaceholderWithDefault":
        return None
    if op.type == "Enter":  # followed where it is asked for, never on the way, as in TensorFlow
        return None if depth else static_value(op.inputs[0], 1)
    known: dict[Tensor, Array] = tensor.graph.notes.setdefault("static values", {})
    value = known.get(tensor)
    if value is None:
        value = _folded(tensor, depth)
        if value is not None:
            known[tensor] = value
    return value


_BY_SHAPE: dict[str, Callable[[Any], Any]] = {
    "Shape": lambda dims: dims,
    "Size": lambda dims: np.prod(dims, dtype=np.int64),
    "Rank": len,
}


def _folded(tensor: Tensor, depth: int) -> Array | None:
    op = tensor.op
    by_shape = _BY_SHAPE.get(op.type)
    if by_shape is not None:
        dims = op.inputs[0].dims
        if dims is None or (op.type != "Rank" and None in dims):
            source = static_value(op.inputs[0], depth + 1)
            if source is None:
                return None
            dims = source.shape
        return np.asarray(by_shape(dims), dtype=tensor.dtype.np)
    definition = op.definition
    count = shapes.element_count(tensor.dims)
    if not definition.is_pure or definition.kernel is None:
        return None
    if count is not None and count > _LARGEST_FOLDED:
        return None
    values = []
    for x in op.inputs:
        value = static_value(x, depth + 1)
        if value is None or value.size > _LARGEST_FOLDED:
            return None
        values.append(value)
    from retrograd.graph.apply import computed

    try:
        with np.errstate(all="ignore"):
            results = computed(definition, op.attrs, values)
    except Exception:  # the run will say what is wrong with these values
        return None
    return np.asarray(results[tensor.value_index])


Fold = Callable[[Any], Any]  # tensor -> its value, or None


def partial_value(tensor: Any, fold: Fold | None = None) -> list[int | None] | None:
    """The elements of an integer vector, None where one is unknown; None if even their number is.

    ``fold`` gives the values that are known of it and of what it is put together from (default: ``static_value``).
    """
    fold = fold or static_value
    op = tensor.op if isinstance(tensor, Tensor) else None
    if op is not None and op.type in ("Shape", "ShapeN"):
        dims = op.inputs[tensor.value_index].dims
        if dims is not None:
            return list(dims)
    rule = None if op is None else _PARTIAL.get(op.type)
    elements = rule(op, fold) if rule is not None else None
    if elements is not None:
        return elements
    value = fold(tensor)
    if value is not None:
        return [int(v) for v in np.ravel(value)]
    if tensor.dims is not None and len(tensor.dims) == 1 and tensor.dims[0] is not None:
        return [None] * tensor.dims[0]
    return None


def _packed(op: Any, fold: Fold) -> list[int | None] | None:
    if op.attrs["axis"]:
        return None
    values = [fold(t) for t in op.inputs]
    return [None if v is None else int(v) for v in values]


def _concatenated(op: Any, fold: Fold) -> list[int | None] | None:
    parts = [partial_value(t, fold) for t in op.inputs[:-1]]
    return None if any(p is None for p in parts) else [v for p in parts for v in p or ()]


def _sliced(op: Any, fold: Fold) -> list[int | None] | None:
    """The elements of ``vector[begin:end:stride]``, the form that shapes are cut in."""
    source = partial_value(op.inputs[0], fold)
    begin, end, stride = (fold(t) for t in op.inputs[1:])
    if source is None or begin is None or end is None or stride is None or len(begin) != 1:
        return None
    if op.attrs["ellipsis_mask"] or op.attrs["new_axis_mask"] or op.attrs["shrink_axis_mask"]:
        return None
    start = int(begin[0])
    first = None if op.attrs["begin_mask"] & 1 else start
    last = None if op.attrs["end_mask"] & 1 else int(end[0])
    return source[first : last : int(stride[0])]


_PARTIAL: dict[str, Callable[[Any, Fold], list[int | None] | None]] = {
    "Pack": _packed,
    "ConcatV2": _concatenated,
    "StridedSlice": _sliced,
}


def shape_value(tensor: Any, fold: Fold | None = None) -> RawShape:
    """The shape that an integer vector describes; -1 and unknown elements are unknown dimensions."""
    elements = partial_value(tensor, fold)
    if elements is None:
        return None
    return tuple(None if v is None or v < 0 else v for v in elements)


def constant_value_as_shape(tensor: Any) -> TensorShape:
    """The same as a ``TensorShape``, as far as TensorFlow's Python folds it; -1 alone is an unknown shape.

    Raises:
      ValueError: ``tensor`` is a matrix or more, a scalar that is not known to be -1, or known and no sizes.
    """
    if not isinstance(tensor, Tensor) or tensor.dims is None:
        return TensorShape.of_raw(shape_value(tensor, constant_value))
    if tensor.dims == ():
        value = constant_value(tensor)
        if value is None or value != -1:
            given = "with unknown value" if value is None else f"value '{value}'"
            raise ValueError(
                f"Received a scalar {given} as shape; require a statically known scalar with value '-1' "
                "to describe an unknown shape."
            )
        return TensorShape(None)
    tensor.shape.with_rank(1)
    if tensor.op.type == "Const" and not tensor.dtype.is_integer:
        return TensorShape([None if size < 0 else size for size in tensor.op.attrs["value"].tolist()])
    return TensorShape.of_raw(shape_value(tensor, constant_value))


_READ_BY_CONSTANT_VALUE = frozenset(
    [
        "Const",
        "Shape",
        "Size",
        "Rank",
        "Range",
        "Cast",
        "Concat",
        "ConcatV2",
        "ConcatOffset",
        "Pack",
        "Fill",
        "Equal",
        "NotEqual",
    ]
)


def constant_value(tensor: Any, partial: bool = False) -> Any:
    """The value of a tensor if the few ops that TensorFlow's Python folds give it, else None."""
    if not isinstance(tensor, Tensor):
        return None if isinstance(tensor, TensorLike) else tensor
    op = tensor.op
    if op.type not in _READ_BY_CONSTANT_VALUE or (op.type == "Pack" and op.attrs["axis"]):
        return None
    if op.type not in _BY_SHAPE and op.type != "Const":
        if partial and op.type == "Pack":
            return np.array([constant_value(t) for t in op.inputs], dtype=object)
        if any(constant_value(t) is None for t in op.inputs):
            return None
    return static_value(tensor)


def get_static_value(tensor: Any, partial: bool = False) -> Any:
    """``constant_value`` for programs: an array of the caller's own, who may change it."""
    value = constant_value(tensor, partial)
    return np.array(value) if isinstance(value, np.ndarray) and value is not tensor else value


def try_evaluate_constant(graph: Any, output: Tensor) -> Any:
    """The value of a tensor of ``graph`` as far as it follows from constants; None if it does not."""
    return static_value(output)
