"""Which ops treat the examples of a batch one by one.

Example ``i`` of an output is ``y[.. i ..]``, along some axis.  A rule tells for each input on which axis example ``i``
of it is found if ``y[.. i ..]`` reads no other example, and EVERY if it may read all of the input.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor

EVERY = None
Axes = list[int | None]


def input_axes(op: Operation, axis: int) -> Axes | None:
    """The axis of the examples in each input, or EVERY; None where the op may mix them in a way of its own."""
    rule = _RULES.get(op.type)
    if rule is None or "_gradient_op_type" in op.attrs or op.context is not None:
        return None
    return rule(op, axis)


def _broadcast(op: Operation, axis: int) -> Axes | None:
    """Inputs are aligned at their last axes; one that is repeated along ``axis`` is read by every example."""
    y = op.outputs[0]
    if y.rank is None:
        return None
    axes: Axes = []
    for x in op.inputs:
        if x.dims is None or y.dims is None:
            return None
        place = axis - (len(y.dims) - len(x.dims))
        repeated = place < 0 or (x.dims[place] == 1 and y.dims[axis] != 1)
        axes.append(EVERY if repeated else place)
    return axes


def _same(op: Operation, axis: int) -> Axes | None:
    return [axis] * len(op.inputs)


def _select(op: Operation, axis: int) -> Axes | None:
    rank = op.inputs[0].rank
    if rank is None:
        return None
    return [axis if rank > 1 or (rank == 1 and axis == 0) else EVERY, axis, axis]


def _matmul(op: Operation, axis: int) -> Axes | None:
    a, b = (bool(op.attrs[key]) for key in ("transpose_a", "transpose_b"))
    return [int(a), EVERY] if axis == 0 else [EVERY, int(not b)]


def _batch_matmul(op: Operation, axis: int) -> Axes | None:
    x, y, z = *op.inputs, op.outputs[0]
    if x.rank is None or y.rank is None or z.rank is None:
        return None
    a, b = (bool(op.attrs[key]) for key in ("adj_x", "adj_y"))
    if axis == z.rank - 2:
        return [x.rank - 2 + a, EVERY]
    if axis == z.rank - 1:
        return [EVERY, y.rank - 1 - b]
    return _broadcast(op, axis)


def _bias_add(op: Operation, axis: int) -> Axes | None:
    return [0, EVERY] if axis == 0 and op.inputs[0].rank != 1 else None


def _first_of_first(op: Operation, axis: int) -> Axes | None:
    """Examples are the first axis of the first input; every other input belongs to all of them."""
    return [0] + [EVERY] * (len(op.inputs) - 1) if axis == 0 else None


def _but_last(op: Operation, axis: int) -> Axes | None:
    rank = op.inputs[0].rank
    return None if rank is None or axis == rank - 1 else [axis] * len(op.inputs)


def _cross_entropy(op: Operation, axis: int) -> Axes | None:
    x, labels = op.inputs
    return [0, 0] if axis == 0 and (labels.rank == 1 or x.dims == labels.dims) else None


def _constant(tensor: Tensor) -> list[int] | None:
    value = static_value(tensor)
    return None if value is None else [int(v) for v in np.ravel(value)]


def _reduction(op: Operation, axis: int) -> Axes | None:
    rank, gone = op.inputs[0].rank, _constant(op.inputs[1])
    if rank is None or gone is None:
        return None
    gone = [a % rank for a in gone]
    kept = list(range(rank)) if op.attrs["keep_dims"] else [a for a in range(rank) if a not in gone]
    return None if kept[axis] in gone else [kept[axis], EVERY]


def _reshape(op: Operation, axis: int) -> Axes | None:
    """The first axis stays the first if the others hold as many elements as before."""
    x, y = op.inputs[0].dims, op.outputs[0].dims
    if axis or not x or not y or None in x[1:] or None in y[1:]:
        return None
    return [0, EVERY] if _count(x[1:]) == _count(y[1:]) else None


def _count(dims: RawShape) -> int:
    return prod(n or 0 for n in dims or ())


def _expand_dims(op: Operation, axis: int) -> Axes | None:
    place, rank = _constant(op.inputs[1]), op.outputs[0].rank
    if place is None or rank is None or axis == place[0] % rank:
        return None
    return [axis - (axis > place[0] % rank), EVERY]


def _squeeze(op: Operation, axis: int) -> Axes | None:
    dims = op.inputs[0].dims
    gone = op.attrs["squeeze_dims"] or (
        [i for i, n in enumerate(dims) if n == 1] if dims and None not in dims else None
    )
    if dims is None or gone is None:
        return None
    gone = [a % len(dims) for a in gone]
    return [[a for a in range(len(dims)) if a not in gone][axis]]


def _transpose(op: Operation, axis: int) -> Axes | None:
    order = _constant(op.inputs[1])
    return None if order is None else [order[axis], EVERY]


def _along_others(op: Operation, axis: int, along: list[int] | None, axes: Axes) -> Axes | None:
    """``axes``, if what the op does along the axis ``along`` leaves ``axis`` alone."""
    rank = op.outputs[0].rank
    return None if along is None or rank is None or along[0] % rank == axis else axes


def _concat(op: Operation, axis: int) -> Axes | None:
    return _along_others(op, axis, _constant(op.inputs[-1]), [axis] * (len(op.inputs) - 1) + [EVERY])


def _split(op: Operation, axis: int) -> Axes | None:
    return _along_others(op, axis, _constant(op.inputs[0]), [EVERY, axis])


def _split_sizes(op: Operation, axis: int) -> Axes | None:
    return _along_others(op, axis, _constant(op.inputs[2]), [axis, EVERY, EVERY])


def _cumulative(op: Operation, axis: int) -> Axes | None:
    return _along_others(op, axis, _constant(op.inputs[1]), [axis, EVERY])


def _pack(op: Operation, axis: int) -> Axes | None:
    rank = op.outputs[0].rank
    if rank is None or axis == op.attrs["axis"] % rank:
        return None
    return [axis - (axis > op.attrs["axis"] % rank)] * len(op.inputs)


def _unpack(op: Operation, axis: int) -> Axes | None:
    rank = op.inputs[0].rank
    return None if rank is None else [axis + (axis >= op.attrs["axis"] % rank)]


def _slice(op: Operation, axis: int) -> Axes | None:
    begin, size = (_constant(t) for t in op.inputs[1:])
    if begin is None or size is None or begin[axis] or size[axis] != -1:
        return None
    return [axis, EVERY, EVERY]


def _strided_slice(op: Operation, axis: int) -> Axes | None:
    """Follows the indices to the one that makes ``axis``, which must be a whole ``:``."""
    strides, rank = _constant(op.inputs[3]), op.inputs[0].rank
    if strides is None or rank is None:
        return None
    masks = {key: op.attrs[f"{key}_mask"] for key in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")}
    listed = sum(not masks["new_axis"] >> i & 1 and not masks["ellipsis"] >> i & 1 for i in range(len(strides)))
    x_axis = 0
    y_axes: list[int | None] = []  # for each axis of the result the axis of x that it is all of, or None
    for i, stride in enumerate(strides):
        has = {key: mask >> i & 1 for key, mask in masks.items()}
        if has["ellipsis"]:
            y_axes += range(x_axis, x_axis + rank - listed)
            x_axis += rank - listed
        elif has["new_axis"]:
            y_axes.append(None)
        else:
            if not has["shrink_axis"]:
                y_axes.append(x_axis if has["begin"] and has["end"] and stride == 1 else None)
            x_axis += 1
    y_axes += range(x_axis, rank)
    return None if y_axes[axis] is None else [y_axes[axis], EVERY, EVERY, EVERY]


def _where_untouched(neutral: int) -> Callable[[Operation, int], Axes | None]:
    """The rule of ops whose second input says what happens to each axis: nothing if that is ``neutral``."""

    def rule(op: Operation, axis: int) -> Axes | None:
        value = static_value(op.inputs[1])
        untouched = value is not None and bool(np.all(value[axis] == neutral))
        return [axis] + [EVERY] * (len(op.inputs) - 1) if untouched else None

    return rule


def _gather(op: Operation, axis: int) -> Axes | None:
    """Example ``i`` has its own indices, and all read the table."""
    along = _constant(op.inputs[2]) if op.type == "GatherV2" else [0]
    rank = op.inputs[1].rank
    if along is None or rank is None or not 0 <= along[0] <= axis < along[0] + rank or op.attrs.get("batch_dims"):
        return None
    return [EVERY, axis - along[0], EVERY][: len(op.inputs)]


_RULES: dict[str, Callable[[Operation, int], Axes | None]] = {}
for _rule, _types in (
    (
        _broadcast,
        """Add AddV2 Sub Mul Div RealDiv DivNoNan FloorDiv FloorMod Maximum Minimum Pow SquaredDifference Atan2 Xlogy
        Xdivy MulNoNan Complex
        Identity Neg Abs Sign Exp Expm1 Log Log1p Sqrt Rsqrt Square Reciprocal Inv Tanh Sigmoid Relu Relu6 Elu Selu
        LeakyRelu Softplus Softsign Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Erf Erfc Lgamma Digamma Cast
        Real Imag Conj CheckNumerics PreventGradient PlaceholderWithDefault
        TanhGrad SigmoidGrad ReluGrad Relu6Grad EluGrad SeluGrad LeakyReluGrad SoftplusGrad SoftsignGrad SqrtGrad
        RsqrtGrad ReciprocalGrad InvGrad""",
    ),
    (_same, "AddN AccumulateNV2"),
    (_select, "Select"),
    (_broadcast, "SelectV2"),
    (_matmul, "MatMul"),
    (_batch_matmul, "BatchMatMul BatchMatMulV2"),
    (_bias_add, "BiasAdd"),
    (
        _first_of_first,
        "Conv2D Conv3D DepthwiseConv2dNative MaxPool MaxPoolV2 MaxPool3D AvgPool AvgPool3D LRN ResizeBilinear "
        "ResizeNearestNeighbor SpaceToDepth DepthToSpace Dilation2D",
    ),
    (_but_last, "Softmax LogSoftmax"),
    (_cross_entropy, "SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits"),
    (_reduction, "Sum Mean Max Min Prod"),
    (_reshape, "Reshape"),
    (_expand_dims, "ExpandDims"),
    (_squeeze, "Squeeze"),
    (_transpose, "Transpose"),
    (_concat, "ConcatV2"),
    (_split, "Split"),
    (_split_sizes, "SplitV"),
    (_cumulative, "Cumsum Cumprod"),
    (_pack, "Pack"),
    (_unpack, "Unpack"),
    (_slice, "Slice"),
    (_strided_slice, "StridedSlice"),
    (_where_untouched(1), "Tile"),
    (_where_untouched(0), "Pad PadV2 MirrorPad"),
    (_gather, "GatherV2 Gather ResourceGather"),
):
    _RULES.update(dict.fromkeys(_types.split(), _rule))
