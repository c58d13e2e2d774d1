"""Shape rules that several ops share: functions from tensors to raw shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.graph import errors, shapes
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor


def scalar(*inputs: Any) -> RawShape:
    """A single number."""
    return ()


def same(x: Tensor, *rest: Any) -> RawShape:
    """The shape of the first input."""
    return x.dims


def broadcast(x: Tensor, y: Tensor) -> RawShape:
    """NumPy broadcasting of two inputs."""
    return x.dims if x.dims == y.dims and shapes.is_known(x.dims) else shapes.broadcast(x.dims, y.dims)


def merged(x: Tensor, y: Tensor) -> RawShape:
    """Two inputs of one shape."""
    return shapes.merge(x.dims, y.dims)


def all_merged(inputs: Sequence[Tensor]) -> RawShape:
    """One shape of all, found from the last to the first."""
    dims = inputs[-1].dims
    for i in reversed(range(len(inputs) - 1)):
        try:
            dims = shapes.merge(inputs[i].dims, dims)
        except ValueError as error:
            raise ValueError(f"{error}\n\tFrom merging shape {i} with other shapes.") from None
    return dims


def with_rank(x: Any, rank: int) -> tuple[int | None, ...]:
    """The shape of ``x``, which must have ``rank`` dimensions.

    Raises:
      ValueError: it has another number of them.
    """
    dims = x.dims if isinstance(x, Tensor) else x
    if dims is None:
        return (None,) * rank
    if len(dims) != rank:
        raise ValueError(f"Shape must be rank {rank} but is rank {len(dims)}")
    return dims


def with_rank_at_least(x: Tensor, rank: int) -> RawShape:
    """The shape of ``x``, which must have ``rank`` dimensions or more."""
    if x.dims is not None and len(x.dims) < rank:
        raise ValueError(f"Shape must be at least rank {rank} but is rank {len(x.dims)}")
    return x.dims


def axis_index(axis: int, rank: int) -> int:
    """``axis`` counted from the front.

    Raises:
      ValueError: there is no such dimension.
    """
    if not -rank <= axis < rank:
        raise ValueError(f"Invalid reduction dimension {axis} for input with {rank} dimensions.")
    return axis % rank if rank else axis


def check_rank(value: Any, rank: int, wrong: str) -> None:
    """In a run: ``value`` has this rank; else ``wrong``, in which ``{}`` is its shape.

    Raises:
      InvalidArgumentError: it has another.
    """
    if np.ndim(value) != rank:
        raise errors.InvalidArgumentError(None, None, wrong.format(shapes.shape_text(np.shape(value))))


def check_vectors(*values: Any) -> None:
    """In a run: the inputs of an op are vectors.

    Raises:
      InvalidArgumentError: one is none.
    """
    for i, value in enumerate(values):
        check_rank(value, 1, f"In[{i}] must be a vector.{{}}")


def check_alike(name: str, *values: Any) -> None:
    """In a run: the inputs of an op of the type ``name`` have one shape.

    Raises:
      InvalidArgumentError: one has another than the first.
    """
    first = np.shape(values[0])
    for i, value in enumerate(values[1:], 1):
        if np.shape(value) != first:
            raise errors.InvalidArgumentError(
                None, None,
                f"Inputs to operation {{node}} of type {name} must have the same size and shape.  "
                f"Input 0: {shapes.shape_text(first)} != input {i}: {shapes.shape_text(np.shape(value))}",
            )  # fmt: skip


ALIGN = "tf.expand_dims(...) or tf.reshape(...) one of them: sizes are equal, or one of them is 1"


def incompatible(x: str, y: str) -> str:
    """What is wrong with two inputs that do not broadcast."""
    return f"Incompatible shapes: {x} vs. {y}"


def with_prefix(x: Tensor, prefix: Tensor) -> None:
    """The first dimensions of ``x`` are those of ``prefix``.

    Raises:
      ValueError: they are not.
    """
    if prefix.dims is not None and with_rank_at_least(x, len(prefix.dims)) is not None:
        for m, n in zip(x.dims or (), prefix.dims, strict=False):
            shapes.merge_dim(m, n)
