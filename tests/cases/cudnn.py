"""cuDNN's networks: their kernels take float64, so the rows are exact."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import Row, normal

from retrograd.graph.apply import apply
from retrograd.ops import cudnn


def _row(label: str, mode: str, ways: int, size: int, op: Any = cudnn.CUDNN_RNN, **attrs: Any) -> Row:
    """Two layers of three units over three steps of two sequences of four numbers."""
    units, more = attrs.get("num_proj") or 3, ()
    if op is cudnn.CUDNN_RNN_V3:
        more = (np.int32([3, 1]),)
    direction = "unidirectional" if ways == 1 else "bidirectional"

    def build(*inputs: Any) -> Any:
        return list(
            apply(op, *inputs, *more, rnn_mode=mode, direction=direction, **attrs)[: 3 if mode == "lstm" else 2]
        )

    time, layers = ((3, 2), (2 * ways, 2)) if attrs.get("time_major", True) else ((2, 3), (2, 2 * ways))
    c = normal(*layers, 3, seed=2) if mode == "lstm" else np.zeros(0)
    inputs = (normal(*time, 4), normal(*layers, units, seed=1), c, normal(size, seed=3) / 2)
    return Row(op.name, build, inputs, orders=1, still=() if mode == "lstm" else (2,), label=label, shapes=False)


ROWS = [
    _row("lstm", "lstm", 1, 4 * (3 * 4 + 3 * 9 + 4 * 3)),
    _row("gru both ways", "gru", 2, 2 * 3 * (3 * 4 + 3 * 3 + 3 * 6 + 3 * 3 + 4 * 3)),
    _row("tanh", "rnn_tanh", 1, 3 * 4 + 3 * 9 + 4 * 3),
    _row("relu", "rnn_relu", 1, 3 * 4 + 3 * 9 + 4 * 3),
    _row("lstm both ways", "lstm", 2, 2 * 4 * (3 * 4 + 3 * 3 + 3 * 6 + 3 * 3 + 4 * 3), cudnn.CUDNN_RNN_V2),
    _row(
        "projected, of other lengths", "lstm", 2, 2 * (4 * (3 * 4 + 3 * 2 + 3 * 4 + 3 * 2 + 4 * 3) + 2 * 2 * 3),
        cudnn.CUDNN_RNN_V3, num_proj=2, time_major=False,
    ),
]  # fmt: skip
