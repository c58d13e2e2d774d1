"""Rules by which one op computes many rows at once; ``run.rows`` says what rows are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np

from retrograd.files.example_columns import Columns
from retrograd.graph import dtypes
from retrograd.graph.operation import Operation
from retrograd.ops import draws
from retrograd.ops.dataset_states import rows_together
from retrograd.ops.example_values import dense_column, is_variable, read_together, sparse_columns
from retrograd.ops.parsing import features_of, features_of_batch
from retrograd.ops.reductions import LONG

Kernel = Callable[..., list[Any]]  # of an op, on its flat inputs; gives the list of its outputs
Rule = Callable[[Operation, Kernel, list[Any], list[bool], int], list[Any] | None]


def _elementwise(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any]:
    """Inputs are aligned at their last axes, so rows of lower rank get axes of size 1 behind the first."""
    ranks = [np.ndim(x) - is_row for x, is_row in zip(inputs, are_rows, strict=True)]
    rank = max(ranks)
    return kernel(
        *[
            x.reshape(count, *[1] * (rank - r), *x.shape[1:]) if is_row and r < rank else x
            for x, is_row, r in zip(inputs, are_rows, ranks, strict=True)
        ]
    )


def _first_alone(rule: Rule) -> Rule:
    """``rule`` where only the first input has rows."""

    def applied(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> Any:
        return rule(op, kernel, inputs, are_rows, count) if are_rows[0] and not any(are_rows[1:]) else None

    return applied


def _in_front(values: Any, first: int) -> np.ndarray:
    return np.concatenate([[first], np.ravel(values)]).astype(np.asarray(values).dtype)


def _reshape(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any]:
    return kernel(inputs[0], _in_front(inputs[1], count))


def _expand_dims(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any]:
    axis = np.asarray(inputs[1])
    return kernel(inputs[0], axis + (axis >= 0).astype(axis.dtype))


def _squeeze(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any] | None:
    (x,) = inputs
    gone = [a + (a >= 0) for a in op.attrs["squeeze_dims"]] or [i for i, n in enumerate(x.shape) if i and n == 1]
    return [np.squeeze(x, tuple(gone))]


def _transpose(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any]:
    return kernel(inputs[0], _in_front(np.asarray(inputs[1]) + 1, 0))


def _one_hot(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any] | None:
    return kernel(*inputs) if op.attrs["axis"] == -1 else None


def _joined(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any] | None:
    """Of arrays along an axis, the last input."""
    *arrays, axis = inputs
    if are_rows[-1]:
        return None
    rows = [
        x if is_row else np.broadcast_to(x, (count, *np.shape(x))) for x, is_row in zip(arrays, are_rows, strict=False)
    ]
    return kernel(*rows, np.asarray(axis) + np.asarray(np.asarray(axis) >= 0, np.asarray(axis).dtype))


def _packed(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any]:
    axis = op.attrs["axis"]
    rows = [
        x if is_row else np.broadcast_to(x, (count, *np.shape(x))) for x, is_row in zip(inputs, are_rows, strict=True)
    ]
    return [np.stack(rows, axis + 1 if axis >= 0 else axis)]


def _strided_slice(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any]:
    x, begin, end, strides = inputs
    masks = {name: op.attrs[name] << 1 for name in ("ellipsis_mask", "new_axis_mask", "shrink_axis_mask")}
    masks.update({name: op.attrs[name] << 1 | 1 for name in ("begin_mask", "end_mask")})
    assert op.definition.kernel is not None
    attrs = {name: op.attrs[name] for name in op.definition.kernel_attrs} | masks
    return [op.definition.kernel(np, x, _in_front(begin, 0), _in_front(end, 0), _in_front(strides, 1), **attrs)]


def _slice(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any] | None:
    x, begin, size = inputs
    if not are_rows[1] and not are_rows[2]:
        return kernel(x, _in_front(begin, 0), _in_front(size, -1))
    if not are_rows[0] or are_rows[2] or np.shape(begin) != (count, x.ndim - 1) or np.min(size, initial=0) < 0:
        return None
    sizes = np.asarray(size).tolist()
    if (begin < 0).any() or (begin + size > x.shape[1:]).any():
        return None
    result = np.empty((count, *sizes), x.dtype)
    for i, starts in enumerate(begin.tolist()):
        result[i] = x[i][tuple([slice(start, start + n) for start, n in zip(starts, sizes, strict=True)])]
    return [result]


def _reversed(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any]:
    axes = np.asarray(inputs[1])
    return kernel(inputs[0], axes + (axes >= 0).astype(axes.dtype))


def _padded(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any]:
    x, paddings, *values = inputs
    return kernel(x, np.pad(np.asarray(paddings), ((1, 0), (0, 0))), *values)


def _reduced(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any] | None:
    """All elements of each row: NumPy adds up what stands together in the same order, by itself or in rows."""
    x, axes = inputs
    rank = x.ndim - 1
    is_whole = sorted(axis % rank for axis in np.ravel(axes).tolist()) == list(range(rank)) if rank else False
    size = x.size // count
    if not is_whole or not x.flags.c_contiguous or size >= LONG:
        return None
    step = (LONG - 1) // max(size, 1) or 1  # means of more are taken in another way
    table, axis = x.reshape(count, size), np.array([1], np.int32)
    sums = np.concatenate([kernel(table[i : i + step], axis)[0].reshape(-1) for i in range(0, count, step)])
    return [sums.reshape(count, *[1] * rank) if op.attrs["keep_dims"] else sums]


def _adjusted(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any] | None:
    """Images of which each has a factor, or all one."""
    images, factor = inputs
    if not are_rows[0] or images.shape[-1] != 3 or np.ndim(factor) != are_rows[1]:
        return None
    if not are_rows[1]:
        return kernel(images, factor)
    kept = images.ndim - 1 if op.type == "AdjustContrastv2" else images.ndim - 2
    assert op.definition.kernel is not None
    of_factors = getattr(op.definition.kernel, "of_any_rank", op.definition.kernel)
    return [of_factors(np, images, factor.reshape(count, *[1] * kept))]


def _parsed(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any] | None:
    """Examples are read together; a sparse feature of one of them is a vector."""
    sparse, dense = features_of(op.attrs, inputs[1:])
    columns = read_together(inputs[0].tolist(), sparse, dense)
    if columns is None or any(is_variable(feature[2]) for feature in dense):
        return None
    found = [dense_column(columns, len(sparse) + i, feature) for i, feature in enumerate(dense)]
    if any(column is None for column in found):
        return None
    parts: list[list[Any]] = [[], [], []]
    for i, (indices, values, _) in enumerate(sparse_columns(columns, len(sparse))):
        counts = columns.counts[i]
        ends = np.cumsum(counts).tolist()
        spans = [slice(*ends_) for ends_ in pairwise([0, *ends])]
        numbers = indices[:, 1:]
        for rows, whole in zip(parts, (numbers, values), strict=False):
            rows.append([whole[span] for span in spans])
        parts[2].append(counts.astype(np.int64)[:, None])
    return [*chain(*parts), *found]


def _parsed_batches(
    op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int
) -> list[Any] | None:
    """The examples of all batches are read together."""
    texts, names, *others = inputs
    sparse, dense = features_of_batch(op.attrs, others)
    if np.size(names) or not texts.size or any(is_variable(feature[2]) for feature in dense):
        return None
    columns = read_together(texts.ravel().tolist(), sparse, dense)
    if columns is None:
        return None
    found = []
    for i, feature in enumerate(dense):
        column = dense_column(columns, len(sparse) + i, feature)
        if column is None:
            return None
        found.append(column.reshape(*texts.shape, *column.shape[1:]))
    size, n = texts.shape[1], len(sparse)
    sizes = columns.counts[:n].reshape(n, count, size).sum(2)
    ends = np.cumsum(sizes, 1).tolist()
    parts: list[list[Any]] = [[] for _ in range(3 * n)]
    for i in range(count):
        rows = slice(i * size, (i + 1) * size)
        values = [v[e[i - 1] if i else 0 : e[i]] for v, e in zip(columns.values, ends, strict=False)]
        batch = sparse_columns(Columns(values, columns.counts[:, rows], columns.is_there[:, rows]), n)
        for part, value in zip(parts, chain(*zip(*batch, strict=True)), strict=True):
            part.append(value)
    return [*parts, *found]


def _serialized(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any] | None:
    """Sparse tensors, each the row of its three parts."""
    if op.attrs["out_type"] is not dtypes.variant or not all(are_rows):
        return None
    rows = np.empty((count, 3), object)
    for i, parts in enumerate(zip(*inputs, strict=True)):
        rows[i, 0], rows[i, 1], rows[i, 2] = parts
    return [rows]


def _flat(values: Sequence[Any]) -> np.ndarray:
    return np.concatenate([x.ravel() for x in values])


def _like(flat: np.ndarray, values: Sequence[Any]) -> list[Any]:
    """Elements in the shapes of ``values``, one after the other."""
    ends = np.cumsum([0, *[x.size for x in values]]).tolist()
    return [flat[a:b].reshape(x.shape) for (a, b), x in zip(pairwise(ends), values, strict=True)]


def _of_lists(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any] | None:
    """All elements of rows of several shapes at once, each with its row's number where another input has these."""
    rows = next(x for x in inputs if isinstance(x, list))
    shapes = [x.shape for x in rows]
    flat = []
    for x, is_row in zip(inputs, are_rows, strict=True):
        if isinstance(x, list):
            if [y.shape for y in x] != shapes:
                return None
            flat.append(_flat(x))
        elif np.ndim(x) != is_row:
            return None
        else:
            flat.append(np.repeat(x, [y.size for y in rows]) if is_row else x)
    return [_like(y, rows) for y in kernel(*flat)]


def _sizes(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any]:
    return [np.array([x.size for x in inputs[0]], op.outputs[0].dtype.np)]


def _looked_up(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> Any:
    table, keys, default = inputs
    if are_rows != [False, True, False] or np.ndim(default):
        return None
    if isinstance(keys, list):
        return [_like(kernel(table, _flat(keys), default)[0], keys)]
    return kernel(table, keys, default)


def _split(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any] | None:
    """Vectors of strings: the pieces of all, as the parts of a sparse tensor for each."""
    texts, *others = inputs
    if texts.ndim != 2:
        return None
    places, values, _ = kernel(texts.reshape(-1), *others)
    n = texts.shape[1]
    lengths = np.bincount(places[:, 0], minlength=count * n).reshape(count, n)
    spans = [slice(*ends) for ends in pairwise(np.cumsum([0, *lengths.sum(1).tolist()]).tolist())]
    places[:, 0] %= max(n, 1)
    shapes = np.stack([np.full(count, n), lengths.max(1, initial=0)], 1).astype(np.int64)
    return [rows_together([places[span] for span in spans]), rows_together([values[span] for span in spans]), shapes]


def _classes(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any] | None:
    """One class of the same logits by the seed of each row."""
    logits, samples, seeds = inputs
    if are_rows != [False, False, True] or seeds.shape != (count, 2) or samples != 1:
        return None
    if np.ndim(logits) != 2 or len(logits) != 1 or not logits.size:
        return None
    classes = draws.multinomial_by_seed(seeds, logits, op.attrs["output_dtype"].np)
    return [classes.reshape(count, 1, 1)]


RULES: dict[str, Rule] = {
    "Reshape": _first_alone(_reshape),
    "ExpandDims": _first_alone(_expand_dims),
    "Squeeze": _squeeze,
    "Transpose": _first_alone(_transpose),
    "OneHot": _first_alone(_one_hot),
    "ConcatV2": _joined,
    "Pack": _packed,
    "StridedSlice": _first_alone(_strided_slice),
    "Slice": _slice,
    "ReverseV2": _first_alone(_reversed),
    "Pad": _first_alone(_padded),
    "PadV2": _first_alone(_padded),
    "MirrorPad": _first_alone(_padded),
    "Sum": _first_alone(_reduced),
    "Mean": _first_alone(_reduced),
    "All": _first_alone(_reduced),
    "Any": _first_alone(_reduced),
    "AdjustContrastv2": _adjusted,
    "AdjustHue": _adjusted,
    "AdjustSaturation": _adjusted,
    "ParseSingleExample": _first_alone(_parsed),
    "ParseExample": _first_alone(_parsed_batches),
    "DecodeCSV": _first_alone(lambda op, kernel, inputs, are_rows, count: kernel(*inputs)),
    "SerializeSparse": _serialized,
    "LookupTableFindV2": _looked_up,
    "StatelessMultinomial": _classes,
    "StringSplit": _first_alone(_split),
    "StringSplitV2": _first_alone(_split),
}
RULES_OF_LISTS: dict[str, Rule] = {  # those that take rows of different shapes
    "SerializeSparse": _serialized,
    "LookupTableFindV2": _looked_up,
    "Size": _sizes,
}
_EXACT = """Add AddV2 Sub Mul Div RealDiv TruncateDiv FloorDiv DivNoNan Mod FloorMod TruncateMod Maximum Minimum
    SquaredDifference BitwiseAnd BitwiseOr BitwiseXor Invert LeftShift RightShift
    Equal NotEqual Less LessEqual Greater GreaterEqual LogicalAnd LogicalOr LogicalNot SelectV2
    Identity Snapshot StopGradient Neg Abs Sign Square Relu Relu6 Floor Ceil Round Rint
    IsNan IsInf IsFinite Cast ZerosLike OnesLike ClipByValue DecodeRaw
    StringToNumber AsString StringToHashBucketFast StringToHashBucket StringLength StringStrip
    EncodeBase64 DecodeBase64 StaticRegexReplace StaticRegexFullMatch StringLower StringUpper"""
RULES.update(dict.fromkeys(_EXACT.split(), _elementwise))
RULES_OF_LISTS.update(dict.fromkeys(_EXACT.split(), _of_lists))
RULES_OF_LISTS["Identity"] = lambda op, kernel, inputs, are_rows, count: inputs
