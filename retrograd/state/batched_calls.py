"""Functions of batches, whose op brings a batch to one of several sizes.

TensorFlow's op gathers what several threads ask for at the same time. Here each asks for itself: the rows are the
same, since a function of batches computes each row by itself, and none waits for another.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, define
from retrograd.graph.errors import FailedPreconditionError, invalid
from retrograd.graph.functions import as_attribute
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.specs import TensorSpec
from retrograd.graph.tensor import Tensor
from retrograd.state.function_calls import body_of_call, called
from retrograd.state.inlining import function


def _padded(x: Any, n: int) -> Any:
    """``x`` with its first row again and again behind the last, up to ``n`` rows."""
    return np.concatenate([x, np.repeat(x[:1], n - len(x), axis=0)])


def _check(batch: Sequence[Any], most: int, sizes: Sequence[int]) -> None:
    if any(a >= b for a, b in itertools.pairwise(sizes)):
        raise invalid("allowed_batch_sizes entries must be monotonically increasing")
    if sizes and sizes[-1] != most:
        raise invalid("final entry in allowed_batch_sizes must equal max_batch_size")
    if not all(np.ndim(x) for x in batch):
        raise invalid("Batching input tensors must have at least one dimension")
    if len({len(x) for x in batch}) > 1:
        raise invalid("Batching input tensors supplied in a given op invocation must have equal 0th-dimension size")
    if batch and len(batch[0]) > most:
        raise invalid(f"Task size {len(batch[0])} is larger than maximum batch size {most}")


def _of_batch(
    xp: Any, call: Callable[[Sequence[Any]], list[Any]], in_tensors: list[Any], captured_tensors: list[Any], *,
    max_batch_size: int, allowed_batch_sizes: list[int],
) -> list[Any]:  # fmt: skip
    _check(in_tensors, max_batch_size, allowed_batch_sizes)
    n = len(in_tensors[0])
    size = next((s for s in allowed_batch_sizes if s >= n), n) if n else 0
    outputs = call([*(_padded(x, size) for x in in_tensors), *captured_tensors])[:-1]
    for y in outputs:
        if not np.ndim(y):
            raise FailedPreconditionError(None, None, "Batched output tensor has 0 dimensions")
        if len(y) != size:
            raise FailedPreconditionError(
                None, None,
                "Batched output tensor's 0th dimension does not equal the sum of the 0th dimension sizes of the input "
                "tensors",
            )  # fmt: skip
    return [y[:n] for y in outputs]


BATCH_FUNCTION = define(
    "BatchFunction", "in_tensors: *Tin, captured_tensors: *Tcaptured", "out_tensors: *Tout",
    attrs={
        "f": REQUIRED, "num_batch_threads": REQUIRED, "max_batch_size": REQUIRED, "batch_timeout_micros": REQUIRED,
        "max_enqueued_batches": 10, "allowed_batch_sizes": [], "container": "", "shared_name": "",
        "batching_queue": "", "Tin": REQUIRED, "Tcaptured": REQUIRED, "Tout": REQUIRED,
    },
    lengths={"Tin": 1, "Tout": 1}, shape=lambda xs, captured, *, Tout: [None] * len(Tout), kernel=_of_batch,
    effect=Effect.WRITE, body=body_of_call(lambda calls, xs: called(calls, xs), keeps_shapes=False),
)  # fmt: skip


def batch_function(
    num_batch_threads: int, max_batch_size: int, batch_timeout_micros: int,
    allowed_batch_sizes: Sequence[int] | None = None, max_enqueued_batches: int = 10, autograph: bool = True,
) -> Callable[[Callable[..., Any]], Callable[..., list[Tensor]]]:  # fmt: skip
    """Decorate a function of tensors that share their first axis, the batch, with what it gives for each row.

    Args:
      num_batch_threads, batch_timeout_micros, max_enqueued_batches: written into the graph; nothing waits here.
      max_batch_size: how many rows a call may have.
      allowed_batch_sizes: sizes, growing up to ``max_batch_size``; a batch gets more rows, up to the next of them.
      autograph: whether branches and loops of the function become ops.

    Raises:
      ValueError: an argument is no tensor.
    """

    def decorator(fn: Callable[..., Any]) -> Callable[..., list[Tensor]]:
        def decorated(*args: Any) -> list[Tensor]:
            specs = [TensorSpec(dtype=x.dtype, shape=_any_batch(x.shape), name=str(i)) for i, x in enumerate(args)]
            computation = function(lambda *xs: fn(*xs), autograph=autograph).get_concrete_function(*specs)
            with name_scope("batch") as scope:
                for x in args:
                    if not isinstance(x, Tensor):
                        raise ValueError(
                            "All arguments to functions decorated with `batch_function`  are supposed to be Tensors; "
                            f"found {x!r}"
                        )
                return apply(  # type: ignore[no-any-return]
                    BATCH_FUNCTION, list(args), list(computation.captured_inputs),
                    num_batch_threads=num_batch_threads, max_batch_size=max_batch_size,
                    batch_timeout_micros=batch_timeout_micros, allowed_batch_sizes=list(allowed_batch_sizes or ()),
                    max_enqueued_batches=max_enqueued_batches, shared_name=scope, f=as_attribute(computation),
                    Tout=[y.dtype for y in computation.outputs],
                )  # fmt: skip

        return decorated

    return decorator


def _any_batch(shape: TensorShape) -> Any:
    return TensorShape([None, *shape.as_list()[1:]]) if shape.ndims else shape
