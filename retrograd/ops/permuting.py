"""Changing the order of axes and of the elements along them: transpose, reverse, roll."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, OpDef, define, not_differentiable
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, Unread, merge, shape_text
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, joining, kinds, shape_rules
from retrograd.ops.requirements import require

# -- axes --------------------------------------------------------------------------------------


def _transposed(x: Tensor, perm: Tensor) -> RawShape:
    order = static_value(perm)
    (rank,) = shape_rules.with_rank(perm, 1)
    dims = x.dims
    if dims is None:
        if rank is None or rank < 2:  # the order of one axis may be that of a scalar, too
            return None
        dims = (None,) * rank
    if rank not in (None, len(dims)):
        raise Unread(f"Dimension must be {len(dims)} but is {rank}")
    if order is None:
        return (None,) * len(dims)
    for axis in order.tolist():
        if not -len(dims) <= axis < len(dims):
            raise ValueError(f"perm dim {axis} is out of range of input rank {len(dims)}")
    return tuple(dims[axis] for axis in order.tolist())


def _transpose(xp: Any, x: Any, perm: Any) -> Any:
    shape_rules.check_rank(perm, 1, "perm must be a vector, not {}")
    order, rank = np.asarray(perm).tolist(), np.ndim(x)
    if len(order) != rank:
        raise InvalidArgumentError(
            None, None, f"transpose expects a vector of size {rank}. But input(1) is a vector of size {len(order)}"
        )
    if sorted(axis % rank for axis in order) != list(range(rank)):
        raise InvalidArgumentError(
            None, None, f"{_missing(order, rank)} is missing from {{{','.join(map(str, order))}}}."
        )
    return xp.transpose(x, order)


def _missing(order: list[int], rank: int) -> int:
    return next(i for i in range(rank) if i not in order)


TRANSPOSE = define(
    "Transpose", "x: T, perm: Tperm", "y: T", attrs={"Tperm": dtypes.int32}, types={"Tperm": kinds.INDEX},
    static=("perm",), shape=_transposed, kernel=_transpose,
    gradient=lambda op, dy: [transpose(dy, invert_permutation(op.inputs[1])), None],
)  # fmt: skip

CONJUGATE_TRANSPOSE = define(
    "ConjugateTranspose", "x: T, perm: Tperm", "y: T", attrs={"Tperm": dtypes.int32}, types={"Tperm": kinds.INDEX},
    static=("perm",), shape=_transposed, kernel=lambda xp, x, perm: xp.conj(_transpose(xp, x, perm)),
    gradient=lambda op, dy: [transpose(dy, invert_permutation(op.inputs[1]), conjugate=True), None],
)  # fmt: skip


def transpose(a: Any, perm: Any = None, name: str | None = "transpose", conjugate: bool = False) -> Tensor:
    """``a`` with its dimensions in the order ``perm`` (default: reversed), and conjugated if asked for."""
    with name_scope(name, "transpose", [a]) as name:
        definition = TRANSPOSE
        if conjugate:
            a = as_tensor(a, name="a")
            definition = CONJUGATE_TRANSPOSE if a.dtype.is_complex else TRANSPOSE
        if perm is not None:
            return apply(definition, a, perm, name=name)
        a = as_tensor(a, name="a")
        if a.rank:
            perm = np.arange(a.rank)[::-1]
        else:
            rank = arrays.rank_internal(a, optimize=False)
            perm = (rank - 1) - apply(constants.RANGE, 0, rank, 1)
        result = apply(definition, a, perm, name=name)
        if a.dims is not None:
            result.set_shape(a.dims[::-1])
        return result


def matrix_transpose(a: Any, name: str | None = "matrix_transpose", conjugate: bool = False) -> Tensor:
    """``a`` with its last two dimensions exchanged.

    Raises:
      ValueError: ``a`` has fewer than two dimensions.
    """
    with name_scope(name, values=[a]):
        a = as_tensor(a, name="a")
        if a.rank is None:
            rank = arrays.rank(a)
            perm = joining.concat((apply(constants.RANGE, 0, rank - 2, 1), [rank - 1, rank - 2]), 0)
            return transpose(a, perm=perm, conjugate=conjugate)
        if a.rank < 2:
            raise ValueError(f"Argument 'a' should be a (batch) matrix, with rank >= 2.  Found: {a.shape}")
        return transpose(a, perm=[*range(a.rank - 2), a.rank - 1, a.rank - 2], conjugate=conjugate)


def _inverted(xp: Any, x: Any) -> Any:
    shape_rules.check_rank(x, 1, "invert_permutation expects a 1D vector.")
    order = np.asarray(x)
    outside = order[(order < 0) | (order >= len(order))]
    if len(outside):
        raise InvalidArgumentError(None, None, f"{outside[0]} is not between 0 and {len(order)}")
    inverse = np.full(len(order), -1, order.dtype)
    inverse[order] = np.arange(len(order), dtype=order.dtype)
    if (inverse < 0).any():  # as many places are missing as values come again
        values, counts = np.unique(order, return_counts=True)
        raise InvalidArgumentError(None, None, f"{values[counts > 1][0]} is duplicated in the input.")
    return inverse


INVERT_PERMUTATION = define(
    "InvertPermutation", "x: T", "y: T", attrs={"T": dtypes.int32}, types={"T": kinds.INDEX}, static=("x",),
    shape=lambda x: shape_rules.with_rank(x, 1), kernel=_inverted, gradient=not_differentiable,
)  # fmt: skip


def invert_permutation(x: Any, name: str | None = None) -> Tensor:
    """``y[x[i]] = i``."""
    return apply(INVERT_PERMUTATION, x, name=name)


# -- elements along an axis --------------------------------------------------------------------


def _reversed(x: Tensor, axis: Tensor) -> RawShape:
    shape_rules.with_rank(axis, 1)
    axes = static_value(axis)
    if axes is not None and x.dims is not None:
        rank, seen = len(x.dims), set()
        for place in axes.tolist():
            if not -rank <= place < rank:
                raise ValueError(f"'axis'[{axes.tolist().index(place)}] = {place} is out of valid range [0, {rank - 1}")
            if place % rank in seen:
                raise ValueError(f"axis {place % rank} specified more than once.")
            seen.add(place % rank)
    return x.dims


def _reverse(xp: Any, x: Any, axis: Any) -> Any:
    shape_rules.check_rank(axis, 1, f"'dims' must be 1-dimension, not {np.ndim(axis)}")
    rank = np.ndim(x)
    seen: set[int] = set()
    for i, place in enumerate(np.asarray(axis).tolist()):
        if not -rank <= place < rank:
            raise InvalidArgumentError(None, None, f"'axis'[{i}] = {place} is out of valid range [0, {rank - 1}")
        if place % rank in seen:
            raise InvalidArgumentError(None, None, f"axis {place % rank} specified more than once.")
        seen.add(place % rank)
    y = xp.flip(x, tuple(seen)) if seen else x
    return _by_channels(y) if xp is np and rank > 1 and rank - 2 in seen and x.shape[-1] <= _FEW else y


_FEW = 8  # channels, too few for a loop of NumPy's


def _by_channels(x: np.ndarray) -> np.ndarray:
    """A copy, because whatever reads a mirrored image goes through it pixel by pixel."""
    y = np.empty(x.shape, x.dtype)
    for channel in range(x.shape[-1]):
        y[..., channel] = x[..., channel]
    return y


REVERSIBLE = (
    dtypes.uint8, dtypes.int8, dtypes.uint16, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.bool, dtypes.bfloat16,
    dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128, dtypes.string,
)  # fmt: skip

REVERSE_V2 = define(
    "ReverseV2", "tensor: T, axis: Tidx", "output: T", attrs={"Tidx": dtypes.int32},
    types={"Tidx": kinds.INDEX, "T": REVERSIBLE}, static=("axis",), shape=_reversed, kernel=_reverse,
    gradient=lambda op, dy: [reverse(dy, op.inputs[1]), None],
)  # fmt: skip


def _reversed_where(xp: Any, x: Any, dims: Any) -> Any:
    if len(dims) != np.ndim(x):
        raise invalid(
            "'dims' must have the same number of values as 'input' has dimensions. "
            f"'input' has {np.ndim(x)}'dims' has {len(dims)} values"
        )
    return _reverse(xp, x, np.flatnonzero(dims))


REVERSE: OpDef = define(
    "Reverse", "tensor: T, dims: bool", "output: T",
    ranks={"dims": "1: 'dims' must be 1-dimension, not {rank}"},
    types={"T": REVERSIBLE}, static=("dims",),
    shape=lambda x, dims: x.dims, kernel=_reversed_where,
    gradient=lambda op, dy: [apply(REVERSE, dy, op.inputs[1]), None],
)  # fmt: skip


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    """``tensor`` with its elements in reverse order along each of ``axis``."""
    return apply(REVERSE_V2, tensor, axis, name=name)


reverse_v2 = reverse


def _reverse_sequence_shape(x: Tensor, seq_lengths: Tensor, *, seq_dim: int, batch_dim: int) -> RawShape:
    count = shape_rules.with_rank(seq_lengths, 1)[0]
    if x.dims is None:
        return None
    rank = len(x.dims)
    batch = batch_dim % rank if -rank <= batch_dim < rank else batch_dim
    if batch_dim >= rank:
        raise ValueError(f"batch_dim must be < input rank: {batch_dim} vs. {rank}")
    if seq_dim >= rank:
        raise ValueError(f"seq_dim must be < input rank: {seq_dim} vs. {rank}")
    size = x.dims[batch]
    if size is not None and count is not None and size != count:
        raise ValueError(f"Dimensions must be equal, but are {size} and {count}")
    return (*x.dims[:batch], count if size is None else size, *x.dims[batch + 1 :])


def _reverse_sequence(xp: Any, x: Any, seq_lengths: Any, *, seq_dim: int, batch_dim: int) -> Any:
    """Along ``seq_dim``, element i of batch b comes from ``seq_lengths[b] - 1 - i`` while i < seq_lengths[b]."""
    x, lengths = xp.asarray(x), xp.asarray(seq_lengths)
    rank = x.ndim
    seq, batch = seq_dim % rank, batch_dim % rank
    n = x.shape[seq]
    if seq == batch:
        raise InvalidArgumentError(None, None, f"batch_dim == seq_dim {seq}")
    if len(lengths) != x.shape[batch]:
        raise InvalidArgumentError(
            None, None, f"len(seq_lens) != input.dims({batch}), ({len(lengths)} vs. {x.shape[batch]})"
        )
    if xp is not np:
        require((lengths >= 0) & (lengths <= n))
    else:
        for value in lengths.tolist():
            if value < 0:
                raise InvalidArgumentError(None, None, "seq_lens(0) < 0")
            if value > n:
                raise InvalidArgumentError(None, None, f"seq_lens(0) > input.dims({seq})")
    steps = xp.arange(n)
    places = xp.where(steps < lengths[:, None], lengths[:, None] - 1 - steps, steps)
    places = places if batch < seq else places.T
    sizes = [1] * rank
    sizes[batch], sizes[seq] = x.shape[batch], n
    return xp.take_along_axis(x, xp.reshape(places, sizes), seq)


def _reverse_sequence_gradient(op: Any, dy: Any) -> list[Any]:
    return [
        apply(REVERSE_SEQUENCE, dy, op.inputs[1], seq_dim=op.attrs["seq_dim"], batch_dim=op.attrs["batch_dim"]),
        None,
    ]


REVERSE_SEQUENCE = define(
    "ReverseSequence", "input: T, seq_lengths: Tlen", "output: T",
    attrs={"seq_dim": REQUIRED, "batch_dim": 0, "Tlen": dtypes.int64}, types={"Tlen": kinds.INDEX},
    ranks={"seq_lengths": "1: seq_lens input must be 1-dim, not {rank}"},
    shape=_reverse_sequence_shape, kernel=_reverse_sequence, gradient=_reverse_sequence_gradient,
)  # fmt: skip


def reverse_sequence(
    input: Any, seq_lengths: Any, seq_axis: Any = None, batch_axis: Any = None, name: str | None = None,
    seq_dim: Any = None, batch_dim: Any = None,
) -> Tensor:  # fmt: skip
    """The first ``seq_lengths[b]`` elements along ``seq_axis`` of each batch element b in reverse order."""
    seq_axis = deprecated_argument_lookup("seq_axis", seq_axis, "seq_dim", seq_dim)
    batch_axis = deprecated_argument_lookup("batch_axis", batch_axis, "batch_dim", batch_dim)
    return apply(
        REVERSE_SEQUENCE,
        input,
        seq_lengths,
        seq_dim=seq_axis,
        batch_dim=0 if batch_axis is None else batch_axis,
        name=name,
    )


def _roll(xp: Any, x: Any, shift: Any, axis: Any) -> Any:
    rank = np.ndim(x)
    if not rank:
        raise InvalidArgumentError(None, None, "input must be 1-D or higher")
    for which, value in (("shift", shift), ("axis", axis)):
        if np.ndim(value) > 1:
            raise InvalidArgumentError(
                None, None,
                f"{which} must be a scalar or a 1-D vector. Found: {shape_text(np.shape(value))}",
            )  # fmt: skip
    shifts, axes = np.ravel(shift).tolist(), np.ravel(axis).tolist()
    if len(shifts) != len(axes):
        raise InvalidArgumentError(None, None, "shift and axis must have the same size")
    for place in axes:
        if not -rank <= place < rank:
            raise InvalidArgumentError(None, None, f"axis {place} is out of range")
    return xp.roll(x, tuple(shifts), tuple(axes))


def _rolled(x: Tensor, shift: Tensor, axis: Tensor) -> RawShape:
    for vector in (shift, axis):
        if vector.dims is not None and len(vector.dims) > 1:
            raise ValueError(f"Shape must be at most rank 1 but is rank {len(vector.dims)}")
    if shift.rank == axis.rank == 1:
        merge(shift.dims, axis.dims)
    return shape_rules.with_rank_at_least(x, 1)


ROLL = define(
    "Roll", "input: T, shift: Tshift, axis: Taxis", "output: T", types={"Tshift": kinds.INDEX, "Taxis": kinds.INDEX},
    static=("shift", "axis"), shape=_rolled, kernel=_roll,
    gradient=lambda op, dy: [roll(dy, -op.inputs[1], op.inputs[2]), None, None],
)  # fmt: skip


def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Tensor:
    """``input`` moved on by ``shift`` along ``axis``; what falls off the end comes in at the front."""
    return apply(ROLL, input, shift, axis, name=name)
