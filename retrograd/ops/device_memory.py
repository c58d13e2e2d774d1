"""What a device says of its memory: ops that only GPUs have, in TensorFlow as here.

Source: TensorFlow 1.15.5, ``tf.contrib.memory_stats``.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph import errors
from retrograd.graph.apply import apply
from retrograd.graph.definition import Effect, OpDef, define, not_differentiable
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules


def _counter(name: str) -> OpDef:
    def refuse(xp: Any, memory: Any) -> Any:
        raise errors.InvalidArgumentError(
            None, None,
            f"No OpKernel was registered to support Op '{name}' with these attrs: []\nRegistered devices: [CPU]\n"
            "Registered kernels:\n  device='GPU'\n\n  Fix:   resource.getrusage(resource.RUSAGE_SELF).ru_maxrss",
        )  # fmt: skip

    return define(
        name, "", "out: int64", shape=shape_rules.scalar, kernel=refuse, gradient=not_differentiable,
        effect=Effect.HOST,
    )  # fmt: skip


BYTES_IN_USE, BYTES_LIMIT, MAX_BYTES_IN_USE = (_counter(name) for name in ("BytesInUse", "BytesLimit", "MaxBytesInUse"))


def BytesInUse() -> Tensor:
    """How many bytes of a GPU's memory are in use; a run on a CPU raises ``InvalidArgumentError``."""
    return apply(BYTES_IN_USE)


def BytesLimit() -> Tensor:
    """How many bytes a GPU has for the program; a run on a CPU raises ``InvalidArgumentError``."""
    return apply(BYTES_LIMIT)


def MaxBytesInUse() -> Tensor:
    """The most bytes of a GPU's memory that were in use; a run on a CPU raises ``InvalidArgumentError``."""
    return apply(MAX_BYTES_IN_USE)
