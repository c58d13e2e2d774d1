"""Gradients of the loss of each example of a batch, in one pass.

Where ops treat the examples one by one, the backward pass of all losses together is that of each: row ``i`` of a
gradient belongs to loss ``i``.  So one ordinary pass goes back as far as it meets what all examples share, the
variables mostly.  There, and only there, the gradients of the examples are told apart: the op that reads the shared
tensor is differentiated on one example, mapped over the batch.  Where ops mix the examples, as batch normalization
does, the pass goes on for every loss by itself, mapped over the losses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from retrograd.derivatives.batch_axes import EVERY, Axes, input_axes
from retrograd.derivatives.mapping import the_piece_built, vectorized
from retrograd.grad.aggregation import total
from retrograd.grad.gradients import gradients, input_gradients, is_trainable, ops_between
from retrograd.graph.apply import build
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.order import in_order
from retrograd.graph.scopes import name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, indexing, permuting


def per_example_gradients(losses: Any, xs: Any, name: str = "per_example_gradients") -> list[Any]:
    """g[b, j..] = d losses[b] / d xs[j..]: their sum over b is ``tf.gradients(losses, xs)``.

    Args:
      losses: a tensor whose first dimension is the batch; the losses of one example are added up.
      xs: a tensor or variable, or a list of them.

    Returns:
      A list with a tensor of shape ``[batch] + x.shape`` for each x; None where no loss depends on it.

    Raises:
      ValueError: ``losses`` is a scalar, or of unknown rank.

    >>> import retrograd
    >>> from retrograd import tf
    >>> w = tf.constant([1.0, 2.0])
    >>> features = tf.constant([[1.0, 0.0], [3.0, 4.0]])
    >>> losses = tf.reduce_sum(w * features, 1) ** 2
    >>> with tf.Session() as sess:
    ...     print(sess.run(retrograd.per_example_gradients(losses, w)))
    [array([[ 2.,  0.],
           [66., 88.]], dtype=float32)]
    """
    flat = list(xs) if isinstance(xs, list | tuple) else [xs]
    with name_scope(name, "per_example_gradients", [losses]):
        y = as_tensor(losses)
        if not y.rank:
            raise _no_batch(y)
        sources = [as_tensor(getattr(x, "handle", x), as_ref=True) for x in flat]
        return _Separation(y, sources).gradients()


def _no_batch(y: Tensor) -> ValueError:
    error = ValueError(f"per_example_gradients needs one loss for each example, got losses of shape {y.shape}")
    error.add_note("  Fix:   pass the losses before tf.reduce_mean or tf.reduce_sum takes them together")
    return error


class _Separation:
    """The backward pass from ``losses``, as far as every op on the way treats the examples one by one.

    It ends at leaves: tensors that all examples share, or behind which they mix.
    """

    def __init__(self, losses: Tensor, xs: Sequence[Tensor]) -> None:
        self.losses = losses
        self.xs = xs
        self.path = ops_between(xs, [losses])
        self.axes: dict[Tensor, set[int | None]] = defaultdict(set)  # where each reader finds the examples
        self.passed: dict[Operation, Axes] = {}  # the ops that treat them one by one
        self.arrived: dict[Tensor, list[Any]] = defaultdict(list)  # gradients whose row i belongs to loss i
        self.at_leaves: dict[Tensor, list[tuple[Any, int]]] = defaultdict(list)  # the same, with the axis of the rows
        self.shares: dict[Tensor, list[Tensor]] = defaultdict(list)  # terms of the gradient of one loss, in the piece
        self.rows: dict[tuple[Tensor, int], Tensor] = {}  # (tensor, axis of its examples) -> one of them, in the piece

    def gradients(self) -> list[Tensor | None]:
        """The gradient of each loss by each of ``xs``."""
        if self.losses.op not in self.path:
            return [None] * len(self.xs)
        self._find_axes()
        self._take(self.losses, constants.ones_like(self.losses), 0)
        for op, where in self.passed.items():
            dys = [total(self.arrived[y], op.name, None) for y in op.outputs]
            if any(dy is not None for dy in dys):
                self._pass(op, [None if dy is None else as_tensor(dy) for dy in dys], where)
        return self._mapped()

    # -- where the examples are ----------------------------------------------------------------

    def _find_axes(self) -> None:
        self.axes[self.losses].add(0)
        for op in reversed(in_order(self.path)):
            axes = {self._axis(y) for y in op.outputs if self.axes[y]}
            where = input_axes(op, axes.pop()) if len(axes) == 1 and EVERY not in axes else None
            if where is not None:
                self.passed[op] = where
                for x, axis in zip(op.inputs, where, strict=True):
                    if self._is_on_the_way(x):
                        self.axes[x].add(axis)

    def _axis(self, tensor: Tensor) -> Any:
        """The axis on which all who read ``tensor`` find the examples; EVERY where they do not agree, or at an x."""
        (axis, *others) = self.axes[tensor]
        return EVERY if others or tensor in self.xs else axis

    def _is_on_the_way(self, tensor: Tensor) -> bool:
        return tensor.op in self.path and is_trainable(tensor.dtype)

    def _take(self, tensor: Tensor, dy: Any, axis: int) -> None:
        """A gradient arrives, whose rows along ``axis`` belong to the losses."""
        if tensor.op in self.passed and self._axis(tensor) is not EVERY:
            self.arrived[tensor].append(dy)
        else:
            self.at_leaves[tensor].append((as_tensor(dy), axis))

    # -- the pass ------------------------------------------------------------------------------

    def _pass(self, op: Operation, dys: list[Tensor | None], where: Axes) -> None:
        inputs = list(zip(op.inputs, where, strict=True))
        on = [axis for x, axis in inputs if self._is_on_the_way(x)]
        if any(axis is not EVERY for axis in on):
            for (x, axis), dx in zip(inputs, input_gradients(op, dys, False), strict=True):
                if dx is not None and axis is not EVERY and self._is_on_the_way(x):
                    self._take(x, dx, axis)
        if EVERY in on:
            self._separate(op, dys, where)

    def _separate(self, op: Operation, dys: list[Tensor | None], where: Axes) -> None:
        """The gradients by what the examples share, from ``op`` on one example."""
        graph = default_graph()
        with the_piece_built("example"):
            inputs = [x if axis is EVERY else self._row(x, axis) for x, axis in zip(op.inputs, where, strict=True)]
            one = build(graph, op.definition, graph.unique_name(op.name), tuple(inputs), dict(op.attrs))
            axes = [self._axis(y) if self.axes[y] else 0 for y in op.outputs]
            ones = [None if dy is None else self._row(dy, axis) for dy, axis in zip(dys, axes, strict=True)]
            for x, axis, dx in zip(op.inputs, where, input_gradients(one, ones, False), strict=True):
                if dx is not None and axis is EVERY and self._is_on_the_way(x):
                    self.shares[x].append(as_tensor(dx))

    def _row(self, tensor: Tensor, axis: int) -> Tensor:
        """One example of ``tensor``, in the piece."""
        key = (tensor, axis)
        if key not in self.rows:
            dims = None if tensor.dims is None else (*tensor.dims[:axis], 1, *tensor.dims[axis + 1 :])
            self.rows[key] = constants.placeholder(tensor.dtype.base_dtype, dims, name="row")
        return self.rows[key]

    # -- from the leaves on --------------------------------------------------------------------

    def _mapped(self) -> list[Tensor | None]:
        with the_piece_built("leaves"):
            number = constants.placeholder("int32", [], name="number")
            for leaf, terms in self.at_leaves.items():
                for dy, axis in terms:
                    self.shares[leaf].append(self._row(dy, axis) * _one_of(leaf, axis, number))
            sums_at = {leaf: total(terms, leaf.op.name, None) for leaf, terms in self.shares.items()}
            found = _behind(sums_at, self.xs)
        rows = [(row, _examples_first(t, axis)) for (t, axis), row in self.rows.items()]
        batch = arrays.shape(self.losses)[0]
        rows.append((number, constants.range_(batch)))
        known = [dx for dx in found if dx is not None]
        results = iter(vectorized(known, rows) if known else [])
        return [None if dx is None else next(results) for dx in found]


def _behind(leaves: dict[Tensor, Tensor], xs: Sequence[Tensor]) -> list[Tensor | None]:
    """The gradient by each x from those of the leaves; a handle to a variable has nothing behind it."""
    inner = {leaf: dy for leaf, dy in leaves.items() if leaf.dtype != "resource"}
    found = gradients(list(inner), list(xs), list(inner.values())) if inner else [None] * len(xs)
    terms = [[as_tensor(dx)] if dx is not None else [] for dx in found]
    both = [[*term, leaves[x]] if x in leaves and x not in inner else term for term, x in zip(terms, xs, strict=True)]
    return [total(each, x.op.name, None) for each, x in zip(both, xs, strict=True)]


def _one_of(tensor: Tensor, axis: int, number: Tensor) -> Tensor:
    """1 for the example ``number`` of ``tensor`` along ``axis``, 0 for the others."""
    assert tensor.rank is not None
    ones = indexing.one_hot(number, arrays.shape(tensor)[axis], dtype=tensor.dtype.base_dtype)
    return arrays.reshape(ones, [-1 if i == axis else 1 for i in range(tensor.rank)])


def _examples_first(tensor: Tensor, axis: int) -> Tensor:
    """The examples of ``tensor`` in rows; in each of them ``axis`` has size 1."""
    if axis:
        assert tensor.rank is not None
        tensor = permuting.transpose(tensor, [axis, *(i for i in range(tensor.rank) if i != axis)])
    return arrays.expand_dims(tensor, axis + 1)
