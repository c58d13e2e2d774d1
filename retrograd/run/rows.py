"""A function of one element, computed for many elements at once.

A dataset's function is called for each element, and for small elements most of the time goes into calling.  Here its
ops run on arrays with one more axis in front, the elements': an op with a rule runs once for all of them, any other
op once for each.  Rows of different shapes are a list.  Every bit stays as it is: sums, products and functions whose
last digit depends on where in an array a number stands have no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import Any

import numpy as np

from retrograd.files.example_columns import Columns
from retrograd.graph import dtypes
from retrograd.graph.apply import grouped
from retrograd.graph.functions import Body
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.graph.values import run_as
from retrograd.ops import blas, dataflow
from retrograd.ops.dataset_states import as_value, stacked
from retrograd.ops.example_values import dense_column, is_variable, read_together, sparse_columns
from retrograd.ops.parsing import features_of, features_of_batch
from retrograd.run.plan import Plan

Kernel = Callable[..., list[Any]]  # of an op, on its flat inputs; gives the list of its outputs
Rule = Callable[[Operation, Kernel, list[Any], list[bool], int], list[Any] | None]


class Rows:
    """``body`` for the rows of arrays: ``columns`` for the inputs of an element, then what the function captured."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.steps = [(op, _kernel_of(op)) for op in Plan(body.outputs, [], body.inputs).ops]

    def __call__(self, columns: Sequence[np.ndarray], captured: Sequence[Any]) -> list[Any]:
        """The outputs for all rows: for each output an array, or where their shapes differ a list of its values."""
        count = len(columns[0])
        values: dict[Tensor, Any] = dict(zip(self.body.inputs, [*columns, *captured], strict=True))
        with_rows = set(self.body.inputs[: len(columns)])
        try:
            with np.errstate(all="ignore"):
                for op, kernel in self.steps:
                    inputs = [values[t] for t in op.inputs]
                    are_rows = [t in with_rows for t in op.inputs]
                    if not any(are_rows):
                        outputs = kernel(*inputs)
                    else:
                        is_ragged = any(isinstance(x, list) for x in inputs)
                        rule = (_RULES_OF_LISTS if is_ragged else _RULES).get(op.type)
                        found = rule(op, kernel, inputs, are_rows, count) if rule else None
                        outputs = _one_by_one(kernel, inputs, are_rows, count) if found is None else found
                        with_rows.update(op.outputs)
                    values.update(zip(op.outputs, outputs, strict=True))
        finally:
            blas.restore()
        return [values[t] if t in with_rows else [values[t]] * count for t in self.body.outputs]


def rows_of(body: Body) -> Rows | None:
    """What computes ``body`` for many elements; None if it does more than compute values, each time the same way."""
    for op in body.ops:
        definition = op.definition
        is_plain = definition.effect is None and definition.body is None and op.type not in dataflow.IS_FLOW
        if not is_plain or op.context is not None or (definition.kernel is None and op.type not in _GIVEN):
            return None
        is_sparse = op.type in _RULES_OF_LISTS  # a variant that is a row of arrays
        if any((not t.dtype.is_numpy_compatible and not is_sparse) or t.dtype.is_ref for t in op.outputs):
            return None
    return Rows(body)


_GIVEN = frozenset(("Const", "Placeholder"))


def _kernel_of(op: Operation) -> Kernel:
    """The kernel of an op, with its attributes."""
    if op.type == "Const":
        return lambda: [run_as(op.attrs["value"])]
    definition = op.definition
    if definition.kernel is None:  # an input
        return lambda *inputs: []
    kernel = partial(definition.kernel, np, **{name: op.attrs[name] for name in definition.kernel_attrs})
    if definition.has_lists:
        places = grouped(definition, op.attrs, range(len(op.inputs)))
        return lambda *inputs: definition.listed(
            kernel(*[[inputs[i] for i in p] if isinstance(p, list | range) else inputs[p] for p in places])
        )
    return lambda *inputs: definition.listed(kernel(*inputs))


def _one_by_one(kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any]:
    """The op for each row alone."""
    rows = []
    for i in range(count):
        rows.append(kernel(*[as_value(x[i]) if is_row else x for x, is_row in zip(inputs, are_rows, strict=True)]))
    return [_rows_together(column) for column in zip(*rows, strict=True)]


def _rows_together(values: Sequence[Any]) -> Any:
    """Rows as an array if they have one shape."""
    try:
        return stacked(values)
    except ValueError:
        return list(values)


# -- rules: an op on rows ------------------------------------------------------------------------


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


def _slice(op: Operation, kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any]:
    return kernel(inputs[0], _in_front(inputs[1], 0), _in_front(inputs[2], -1))


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


_RULES: dict[str, Rule] = {
    "Reshape": _first_alone(_reshape),
    "ExpandDims": _first_alone(_expand_dims),
    "Squeeze": _squeeze,
    "Transpose": _first_alone(_transpose),
    "OneHot": _first_alone(_one_hot),
    "ConcatV2": _joined,
    "Pack": _packed,
    "StridedSlice": _first_alone(_strided_slice),
    "Slice": _first_alone(_slice),
    "ParseSingleExample": _first_alone(_parsed),
    "ParseExample": _first_alone(_parsed_batches),
    "DecodeCSV": _first_alone(lambda op, kernel, inputs, are_rows, count: kernel(*inputs)),
    "SerializeSparse": _serialized,
}
_RULES_OF_LISTS: dict[str, Rule] = {  # those that take rows of different shapes
    "SerializeSparse": _serialized,
    "Identity": lambda op, kernel, inputs, are_rows, count: inputs,
}
_EXACT = """Add AddV2 Sub Mul Div RealDiv TruncateDiv FloorDiv DivNoNan Mod FloorMod TruncateMod Maximum Minimum
    SquaredDifference BitwiseAnd BitwiseOr BitwiseXor Invert LeftShift RightShift
    Equal NotEqual Less LessEqual Greater GreaterEqual LogicalAnd LogicalOr LogicalNot SelectV2
    Identity Snapshot StopGradient Neg Abs Sign Square Relu Relu6 Floor Ceil Round Rint
    IsNan IsInf IsFinite Cast ZerosLike OnesLike ClipByValue DecodeRaw
    StringToNumber AsString StringToHashBucketFast StringToHashBucket StringLength StringStrip
    EncodeBase64 DecodeBase64 StaticRegexReplace StaticRegexFullMatch StringLower StringUpper"""
_RULES.update(dict.fromkeys(_EXACT.split(), _elementwise))
