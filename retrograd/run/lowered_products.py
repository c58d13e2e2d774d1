"""Matrix products in loops with a matrix that every iteration sees.

A gradient loop multiplies by transposed weights.  On a CPU, XLA multiplies by a matrix that lies the other way round
at half the speed, so it is turned over once before the loop.  Of a product of which only columns are read, only they
are computed: with respect to a concatenation of input and state, often the state's gradient alone is wanted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops.apart import unsimplified
from retrograd.run.held import is_array, is_known
from retrograd.run.lowered_sums import behind_names

if TYPE_CHECKING:
    from retrograd.run.lowered_loops import LoweredLoop
    from retrograd.run.walking import Scope


def prepare_products(loop: LoweredLoop) -> None:
    """Let the products in ``loop`` with a transposed invariant use it turned over before."""
    turned_over: dict[Tensor, Any] = {}
    for op in loop.behind:
        if not isinstance(op, Operation) or op.type != "MatMul" or not op.attrs["transpose_b"]:
            continue
        source = behind_names(op.inputs[1])
        if op.inputs[1] not in loop.inner or op.inputs[0] in loop.inner or op in loop.walk.plan.written:
            continue
        matrix = loop.inner[op.inputs[1]]
        if not is_array(matrix) or matrix.ndim != 2:
            continue
        if source not in turned_over:
            turned_over[source] = unsimplified(matrix.T)  # else XLA would turn it over in every product
        _use(loop, op, turned_over[source])


def _use(loop: LoweredLoop, op: Operation, matrix: Any) -> None:
    from retrograd.ops.jax_start import jnp

    def rows(scope: Scope) -> Any:
        value = jnp.asarray(scope[op.inputs[0]])
        return value.T if op.attrs["transpose_a"] else value

    def product(scope: Scope) -> list[Any]:
        return [jnp.matmul(rows(scope), matrix)]

    loop.walk.instead[op] = product
    readers = _readers(loop, op.outputs[0])
    if len(readers) != 1 or readers[0].type != "Slice" or behind_names(readers[0].inputs[0]) is not op.outputs[0]:
        return
    (part,) = readers
    cut: dict[tuple[int, int | None], Any] = {}

    def of_slice(scope: Scope) -> list[Any]:
        value = rows(scope)
        begin, size = (np.asarray(scope[t]) if is_known(scope[t]) else None for t in part.inputs[1:])
        if begin is None or size is None or begin[0] != 0 or size[0] not in (-1, value.shape[0]):
            return loop.walk.results(part, scope)
        place = int(begin[1]), None if size[1] < 0 else int(begin[1] + size[1])
        if place not in cut:
            loop.wanted_before.append(lambda: cut.update({place: unsimplified(matrix[:, slice(*place)])}))
            return [jnp.matmul(value, matrix[:, slice(*place)])]
        return [jnp.matmul(value, cut[place])]

    loop.walk.instead[part] = of_slice


def _readers(loop: LoweredLoop, tensor: Tensor) -> list[Operation]:
    """Who reads ``tensor``, under whichever name."""
    found: list[Operation] = []
    for op in tensor.readers:
        if op in loop.walk.needed:
            found += _readers(loop, op.outputs[0]) if op.type == "Identity" else [op]
    return found
