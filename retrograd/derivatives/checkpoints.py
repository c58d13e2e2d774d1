"""Gradients that recompute instead of remembering.

A backward pass reads what the forward pass computed, so all of that lives until the backward pass is done.  Here
only the ``checkpoints`` do.  When the backward pass comes to an op in front of a checkpoint it differentiates a
copy of that op, computed anew from the checkpoints before it.  The copies wait for the gradient that has
arrived there, and what they compute is dropped as the pass goes on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import isqrt
from typing import Any

from retrograd.grad.gradients import differentiating, gradients
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.order import in_order
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor

_BY_SHAPE = frozenset(("Shape", "ShapeN", "Size", "Rank"))
_EXPENSIVE = frozenset(
    [
        "MatMul", "BatchMatMul", "BatchMatMulV2", "SparseMatMul", "SparseTensorDenseMatMul", "Conv2D", "Conv3D",
        "DepthwiseConv2dNative", "Conv2DBackpropInput", "Conv3DBackpropInputV2",
    ]
)  # fmt: skip


def checkpointed_gradients(
    ys: Any, xs: Any, checkpoints: Any = "memory", grad_ys: Any = None, **options: Any
) -> list[Any]:
    """The same as ``tf.gradients(ys, xs, grad_ys)``, bit for bit, in less memory: what is not kept is computed again.

    With ``"memory"``, a chain of n ops keeps about 2 sqrt(n) results at a time and runs each op at most twice.

    Args:
      ys, xs, grad_ys: as for ``tf.gradients``.
      checkpoints: what to keep.  ``"memory"``: at about sqrt(n) places of the n ops, where least has to be kept, all
        that is read behind them; ``"speed"``: the results of matrix products and convolutions; or a list of tensors.
      options: the other arguments of ``tf.gradients``.

    What draws random numbers, reads a variable, runs on the host, or is part of a branch or a loop is not
    computed again: its results are kept.

    Raises:
      ValueError: ``checkpoints`` is none of these.

    >>> import retrograd
    >>> from retrograd import tf
    >>> x = y = tf.constant(0.5)
    >>> for _ in range(100):
    ...     y = tf.sin(y) + x
    >>> dx, plain = retrograd.checkpointed_gradients(y, [x]) + tf.gradients(y, [x])
    >>> with tf.Session() as sess:
    ...     print(sess.run(tf.equal(dx, plain)))
    True
    """
    inputs = [as_tensor(getattr(x, "handle", x), as_ref=True) for x in _listed(xs)]
    outputs = [y.values if isinstance(y, IndexedSlices) else as_tensor(y) for y in _listed(ys)]
    forward = _depending(inputs, outputs)
    kept = _chosen(checkpoints, forward)
    again = _Recomputed(forward, {*kept, *inputs}, [t.op for t in kept])
    with differentiating(again.stand_in):
        return gradients(ys, xs, grad_ys, **options)


def _listed(values: Any) -> list[Any]:
    return list(values) if isinstance(values, list | tuple) else [values]


def _depending(xs: Iterable[Tensor], ys: Iterable[Tensor]) -> list[Operation]:
    """The ops whose results vary with ``xs`` and make up ``ys``, in order; what a shape decides varies not."""
    reached: set[Operation] = set()
    stack = [op for x in xs for op in x.readers]
    while stack:
        op = stack.pop()
        if op not in reached and op.type not in _BY_SHAPE:
            reached.add(op)
            stack += [reader for t in op.outputs for reader in t.readers]
    needed: set[Operation] = set()
    stack = [y.op for y in ys]
    while stack:
        op = stack.pop()
        if op in reached and op not in needed:
            needed.add(op)
            stack += [t.op for t in op.inputs]
    return in_order(needed)


# -- what is kept ------------------------------------------------------------------------------


def _chosen(checkpoints: Any, forward: Sequence[Operation]) -> list[Tensor]:
    if isinstance(checkpoints, list | tuple):
        return [as_tensor(t) for t in checkpoints]
    if checkpoints == "speed":
        return [t for op in forward if op.type in _EXPENSIVE for t in op.outputs]
    if checkpoints == "memory":
        return _narrow_places(forward)
    error = ValueError(f"checkpoints must be 'memory', 'speed' or a list of tensors, got {checkpoints!r}")
    error.add_note("  Fix:   checkpointed_gradients(ys, xs, checkpoints='memory')")
    raise error


def _narrow_places(forward: Sequence[Operation]) -> list[Tensor]:
    """The tensors that cross sqrt(n) - 1 places of ``forward``, each where its neighbourhood is narrowest."""
    count = len(forward)
    number = isqrt(count)
    spans = _spans(forward)
    changes = [0] * (count + 1)
    for tensor, (first, last) in spans.items():
        changes[first] += _size(tensor)
        changes[last] -= _size(tensor)
    widths = list(accumulate(changes))
    places = []
    for i in range(1, number):
        middle, reach = i * count // number, count // (2 * number)
        near = range(middle - reach, min(middle + reach + 1, count))
        places.append(min(near, key=lambda place: (widths[place], abs(place - middle))))
    return [t for t, (first, last) in spans.items() if bisect_left(places, first) < bisect_left(places, last)]


def _spans(forward: Sequence[Operation]) -> dict[Tensor, tuple[int, int]]:
    """For each result the places of the op that computes it and of the last op that reads it."""
    place = {op: i for i, op in enumerate(forward)}
    return {
        t: (i, max((place[reader] for reader in t.readers if reader in place), default=i))
        for op, i in place.items()
        for t in op.outputs
    }


def _size(tensor: Tensor) -> int:
    """The number of elements, an unknown dimension taken for 1."""
    size = 1
    for n in tensor.dims or ():
        size *= 1 if n is None else n
    return size


# -- what is computed again --------------------------------------------------------------------


class _Recomputed:
    """Copies of the ops in front of checkpoints, made as the backward pass comes to them."""

    def __init__(self, forward: Sequence[Operation], kept: set[Tensor], checkpoints: Iterable[Operation]) -> None:
        self.kept = kept
        self.copies: dict[Operation, Operation] = {}
        front: set[Operation] = set()
        stack = list(checkpoints)
        while stack:
            op = stack.pop()
            if op not in front:
                front.add(op)
                stack += [t.op for t in op.inputs]
        self.in_front = {op for op in forward if op in front and _is_repeatable(op)}

    def stand_in(self, op: Operation, dys: Sequence[Any]) -> Operation:
        """What is differentiated in the place of ``op``, to which the gradients ``dys`` have arrived."""
        if op in self.in_front and op not in self.copies:
            waits = [(dy.values if isinstance(dy, IndexedSlices) else dy).op for dy in dys if dy is not None]
            for each in self._missing(op):
                self._copy(each, waits)
        return self.copies.get(op, op)

    def _missing(self, op: Operation) -> list[Operation]:
        """``op`` and what has to be computed again for it, in order."""
        missing: set[Operation] = set()
        stack = [op]
        while stack:
            op = stack.pop()
            if op not in missing and op not in self.copies:
                missing.add(op)
                stack += [t.op for t in op.inputs if t not in self.kept and t.op in self.in_front]
        return in_order(missing)

    def _copy(self, op: Operation, waits: list[Operation]) -> None:
        graph = default_graph()
        inputs = tuple(t if t in self.kept else self._again(t) for t in op.inputs)
        is_first = all(t is again for t, again in zip(op.inputs, inputs, strict=True))
        name = graph.unique_name(f"recomputed/{op.name}")
        with graph.control_dependencies(waits if is_first else []):
            copy = graph.add_op(op.definition, name, inputs, dict(op.attrs), [t.dtype for t in op.outputs])
        for mine, theirs in zip(copy.outputs, op.outputs, strict=True):
            mine.dims = theirs.dims
        self.copies[op] = copy

    def _again(self, tensor: Tensor) -> Tensor:
        copy = self.copies.get(tensor.op)
        return tensor if copy is None else copy.outputs[tensor.value_index]


def _is_repeatable(op: Operation) -> bool:
    """Whether ``op`` gives the same whenever it runs on the same inputs."""
    references = any(t.dtype.is_ref or t.dtype == "resource" for t in (*op.inputs, *op.outputs))
    return op.definition.is_pure and op.definition.kernel is not None and op.context is None and not references
