"""``tf.hessians``: second derivatives, a row in each turn of a loop."""

from __future__ import annotations

from typing import Any

from retrograd.flow.loops import while_loop
from retrograd.flow.tensor_array import TensorArray
from retrograd.grad.gradients import gradients
from retrograd.graph import dtypes
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, joining


def hessians(
    ys: Any,
    xs: Any,
    name: str = "hessians",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
) -> list[Tensor]:
    """H[i.., j..] = d^2 sum(ys) / d x[i..] d x[j..] for each x of ``xs``: a list of tensors of shape ``x.shape * 2``.

    The other arguments are those of ``tf.gradients``; ``name`` is not used, as in TensorFlow.
    ``retrograd.jacobian(tf.gradients(ys, x)[0], x)`` computes the rows together.

    >>> from retrograd import tf
    >>> x = tf.constant([1.0, 2.0])
    >>> with tf.Session() as sess:
    ...     print(sess.run(hessians(x[0] ** 2 * x[1], x)))
    [array([[4., 2.],
           [2., 0.]], dtype=float32)]
    """
    xs = list(xs) if isinstance(xs, list | tuple) else [xs]
    dxs = gradients(
        ys, xs, colocate_gradients_with_ops=colocate_gradients_with_ops, gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
    )  # fmt: skip
    return [_hessian(dx, x) for dx, x in zip(dxs, xs, strict=True)]


def hessians_v2(
    ys: Any, xs: Any, gate_gradients: bool = False, aggregation_method: int | None = None, name: str = "hessians"
) -> list[Tensor]:
    """``hessians`` with the arguments of version 2."""
    return hessians(ys, xs, name, True, gate_gradients, aggregation_method)


def _hessian(dx: Any, x: Any) -> Tensor:
    flat = arrays.reshape(dx, [-1])
    count = arrays.size(x)

    def with_row(i: Tensor, rows: TensorArray) -> tuple[Any, TensorArray]:
        return i + 1, rows.write(i, gradients(flat[i], x)[0])

    first = constants.constant(0, dtypes.int32)
    rows = TensorArray(x.dtype, count)
    _, rows = while_loop(lambda i, _: i < count, with_row, [first, rows])
    shape = arrays.shape(x)
    return arrays.reshape(rows.stack(), joining.concat((shape, shape), 0))
