"""Contractions of tensors over chosen axes: ``tensordot``, ``einsum``, ``trace``."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.convert import as_tensor
from retrograd.graph.dispatch import dispatched
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    comparison,
    constants,
    diagonals,
    indexing,
    joining,
    matrices,
    permuting,
    reductions,
    uniqueness,
)

# -- tensordot ---------------------------------------------------------------------------------


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """The sum over ``axes`` of products of ``a`` and ``b``; the axes left stay, a's before b's.

    Args:
      axes: a number n (the last n of a with the first n of b), or a pair of lists of axes.

    Raises:
      ValueError: the axes do not pair up.
    """
    with name_scope(name, "Tensordot", [a, b, axes]) as name:
        a, b = as_tensor(a, name="a"), as_tensor(b, name="b")
        a_axes, b_axes = _paired_axes(a, axes)
        a_matrix, a_free, a_known = _as_matrix(a, a_axes, summed_first=False)
        b_matrix, b_free, b_known = _as_matrix(b, b_axes, summed_first=True)
        product = matrices.matmul(a_matrix, b_matrix)
        if isinstance(a_free, list) and isinstance(b_free, list):
            return arrays.reshape(product, a_free + b_free, name=name)
        a_free, b_free = as_tensor(a_free, dtypes.int32), as_tensor(b_free, dtypes.int32)
        result = arrays.reshape(product, joining.concat([a_free, b_free], 0), name=name)
        if a_known is not None and b_known is not None:
            result.set_shape(a_known + b_known)
        return result


def _paired_axes(a: Tensor, axes: Any) -> tuple[Any, Any]:
    if isinstance(axes, int | np.integer):
        if axes < 0:
            raise ValueError("'axes' must be at least 0.")
        if a.dims is None:
            rank = arrays.rank(a)
            return constants.range_(rank - axes, rank, dtype=dtypes.int32), constants.range_(axes, dtype=dtypes.int32)
        if axes > len(a.dims):
            raise ValueError(f"'axes' must not be larger than the number of dimensions of tensor {a}.")
        return list(range(len(a.dims) - axes, len(a.dims))), list(range(axes))
    if isinstance(axes, list | tuple):
        if len(axes) != 2:
            raise ValueError("'axes' must be an integer or have length 2.")
        a_axes, b_axes = axes
        if isinstance(a_axes, int | np.integer) and isinstance(b_axes, int | np.integer):
            return [a_axes], [b_axes]
        if len(a_axes) != len(b_axes):
            raise ValueError(f"Different number of contraction axes 'a' and 'b', {len(a_axes)} != {len(b_axes)}.")
        return a_axes, b_axes
    axes = as_tensor(axes, dtypes.int32, name="axes")
    return axes[0], axes[1]


def _as_matrix(x: Tensor, axes: Any, summed_first: bool) -> tuple[Tensor, Any, list[int | None] | None]:
    """``x`` as a matrix of free by summed axes (or the other way round), its free sizes, and those known now."""
    listed = isinstance(axes, list | tuple)
    if x.dims is None or not listed:
        shape, rank = arrays.shape(x), arrays.rank(x)
        axes = as_tensor(axes, dtypes.int32, name="axes")
        axes = comparison.where(axes >= 0, axes, axes + rank)
        free, _ = uniqueness.setdiff1d(constants.range_(rank), axes)
        return (*_reshaped_in_graph(x, shape, free, axes, summed_first), None)
    axes = [i + len(x.dims) if i < 0 else i for i in axes]
    free = [i for i in range(len(x.dims)) if i not in axes]
    free_sizes = [x.dims[i] for i in free]
    if not shapes.is_known(x.dims):
        axes, free = as_tensor(axes, dtypes.int32, name="axes"), as_tensor(free, dtypes.int32, name="free")
        return (*_reshaped_in_graph(x, arrays.shape(x), free, axes, summed_first), free_sizes)
    sizes = [int(np.prod(free_sizes)), int(np.prod([x.dims[i] for i in axes]))]
    order = axes + free if summed_first else free + axes
    matrix = arrays.reshape(permuting.transpose(x, order), sizes[::-1] if summed_first else sizes)
    return matrix, free_sizes, free_sizes


def _reshaped_in_graph(x: Tensor, shape: Any, free: Any, axes: Any, summed_first: bool) -> tuple[Tensor, Tensor]:
    free_sizes, summed_sizes = indexing.gather(shape, free), indexing.gather(shape, axes)
    sizes = [reductions.reduce_prod(free_sizes), reductions.reduce_prod(summed_sizes)]
    order = joining.concat([axes, free] if summed_first else [free, axes], 0)
    new_shape = joining.stack(sizes[::-1] if summed_first else sizes)
    return arrays.reshape(permuting.transpose(x, order), new_shape), free_sizes


# -- einsum ------------------------------------------------------------------------------------


def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """The sum of products that ``equation`` writes in Einstein's notation: ``"ij,jk->ik"`` is a matrix product.

    The inputs are contracted pair by pair from the left, each pair by one matmul.

    Raises:
      ValueError: the equation is malformed, or does not fit the inputs.
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise TypeError("invalid keyword arguments for this function: " + ", ".join(sorted(kwargs)))
    with name_scope(name, "einsum", [equation, inputs]):
        tensors = [as_tensor(x) if not isinstance(x, Tensor) else x for x in inputs]
        labels, wanted = _parsed(equation, tensors)
        if len(labels) == 1 and "->" not in equation and _is_palindrome_of_pairs(labels[0]):
            return trace(tensors[0])
        for each in labels:
            if len(set(each)) < len(each):
                raise ValueError(f"Subscript not supported: an axis appears more than once: {each}")
        readers = Counter(label for each in labels for label in each)
        if any(count > 2 and label not in wanted for label, count in readers.items()):
            return _summed_at_once(labels, wanted, tensors)
        x, have = tensors[0], labels[0]
        for y, more in zip(tensors[1:], labels[1:], strict=True):
            x, have = _contracted(x, have, y, more, set(have) & set(more) - set(wanted))
        gone = [i for i, label in enumerate(have) if label not in wanted]
        if gone:
            x = reductions.reduce_sum(x, axis=gone)
            have = "".join(label for label in have if label in wanted)
        if sorted(have) != sorted(wanted):
            raise ValueError(f"Invalid equation: {equation}")
        return _ordered(x, [have.index(label) for label in wanted])


def _is_palindrome_of_pairs(labels: str) -> bool:
    return labels == labels[::-1] and 2 in Counter(labels).values()


def _parsed(equation: str, tensors: list[Tensor]) -> tuple[list[str], str]:
    """The labels of each input and of the output; ``...`` becomes labels that the equation does not use."""
    text = equation.replace(" ", "")
    if "..." in text:
        if "0" in text:
            raise ValueError(f'Invalid character "0" in equation: {equation}')
        text = text.replace("...", "0")
    match = re.fullmatch("([a-zA-Z0,]*)(->[a-zA-Z0]*)?", text)
    if not match:
        raise ValueError(f"Indices have incorrect format: {equation}")
    labels = match.group(1).split(",")
    wanted = match.group(2)[2:] if match.group(2) else None
    if len(tensors) != len(labels):
        raise ValueError(f'Got {len(tensors)} arguments for equation "{equation}", expecting {len(labels)}')
    if "0" in text:
        unused = [c for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" if c not in text]
        counts = []
        for each, tensor in zip(labels, tensors, strict=True):
            if each.count("0") > 1:
                raise ValueError(f"Too many ellipses in input label: {each}")
            if "0" in each:
                if tensor.dims is None:
                    raise ValueError(f"Rank of an input with an ellipsis must be known: {equation}")
                counts.append(len(tensor.dims) - len(each) + 1)
        filled = {count: "".join(unused[max(counts) - count : max(counts)]) for count in counts}
        ranks = iter(counts)
        labels = [each.replace("0", filled[next(ranks)]) if "0" in each else each for each in labels]
        wanted = None if wanted is None else wanted.replace("0", filled[max(counts)])
    if wanted is None:
        counts_of = Counter("".join(labels))
        wanted = "".join(sorted(label for label, count in counts_of.items() if count == 1))
    return labels, wanted


def _contracted(x: Tensor, x_labels: str, y: Tensor, y_labels: str, summed: set[str]) -> tuple[Tensor, str]:
    """The product of two tensors, summed over ``summed``, with the labels of its axes."""
    for i, (tensor, labels) in enumerate(((x, x_labels), (y, y_labels))):
        if len(labels) != len(tensor.shape):
            raise ValueError(
                f"Tensor t{i} of rank {len(tensor.shape)} does not match einsum reduction of length {len(labels)}"
            )
    shared = set(x_labels) & set(y_labels) - summed
    alone = [set(x_labels) - shared - summed, set(y_labels) - shared - summed]

    def place(first: set[str]) -> Any:
        return lambda label: (-1 if label in shared else 0 if label in first else 1, label)

    x_order, y_order = sorted(x_labels, key=place(alone[0])), sorted(y_labels, key=place(summed))
    x = _ordered(x, [x_labels.index(label) for label in x_order])
    y = _ordered(y, [y_labels.index(label) for label in y_order])
    batch = len(shared)
    if not summed:
        for _ in alone[1]:
            x = arrays.expand_dims(x, -1)
        for _ in alone[0]:
            y = arrays.expand_dims(y, batch)
        return arithmetic.multiply(x, y), "".join(x_order + y_order[batch:])
    x_shape = _sizes(x)
    free = _count(x_shape[batch : -len(summed)])
    depth = _count(x_shape[-len(summed) :])
    x = _reshaped(x, [*x_shape[:batch], free, depth])
    y_shape = _sizes(y)
    y = _reshaped(y, [*y_shape[:batch], depth, _count(y_shape[batch + len(summed) :])])
    product = matrices.matmul(x, y)
    kept, added = batch + len(alone[0]), len(y_shape) - len(alone[1])
    return _reshaped(product, x_shape[:kept] + y_shape[added:]), "".join(x_order[:kept] + y_order[added:])


def _sizes(x: Tensor) -> list[Any]:
    """The shape of ``x``: numbers where they are known, else scalars read from it."""
    sizes: list[Any] = list(x.dims or ())
    if None in sizes:
        shape = arrays.shape(x)
        sizes = [shape[i] if n is None else n for i, n in enumerate(sizes)]
    return sizes


def _count(sizes: list[Any]) -> Any:
    total: Any = 1
    for size in sizes:
        total *= size
    return total


def _reshaped(x: Tensor, shape: list[Any]) -> Tensor:
    same = len(shape) == len(x.dims or ()) and all(
        not isinstance(wanted, Tensor) and have == wanted for have, wanted in zip(x.dims or (), shape, strict=True)
    )
    return x if same else arrays.reshape(x, shape)


def _ordered(x: Tensor, order: list[int]) -> Tensor:
    return x if order == list(range(len(order))) else permuting.transpose(x, perm=order)


def _summed_at_once(labels: list[str], wanted: str, tensors: list[Tensor]) -> Tensor:
    """The product of all inputs over all labels, then one sum: where a summed label is in three inputs or more."""
    everything = sorted(
        set("".join(labels)), key=lambda label: (wanted.find(label) if label in wanted else len(wanted), label)
    )
    factors = []
    for tensor, each in zip(tensors, labels, strict=True):
        present = sorted(each, key=everything.index)
        x = _ordered(tensor, [each.index(label) for label in present])
        for i, label in enumerate(everything):
            if label not in each:
                x = arrays.expand_dims(x, i)
        factors.append(x)
    product = factors[0]
    for factor in factors[1:]:
        product = arithmetic.multiply(product, factor)
    return reductions.reduce_sum(product, list(range(len(wanted), len(everything))))


@dispatched
def trace(x: Any, name: str | None = None) -> Tensor:
    """The sum of the diagonal of each matrix."""
    with name_scope(name, "Trace", [x]) as name:
        return reductions.reduce_sum(diagonals.matrix_diag_part(as_tensor(x, name="x")), [-1], name=name)
