"""Steps of recurrent cells as one op; they are for float32 and half, so that the rows round."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import Row, normal

from retrograd import tf
from retrograd.graph.apply import apply
from retrograd.ops import recurrent_blocks as blocks

STEP = (normal(2, 3), normal(2, 2, seed=1), normal(2, 2, seed=2), normal(5, 8, seed=3) / 2)
PEEPHOLES = (normal(2, seed=4), normal(2, seed=5), normal(2, seed=6), normal(8, seed=7))
STEPS = (normal(3, 2, 3), *STEP[1:], *PEEPHOLES)
GRU = (*STEP[:2], normal(5, 4, seed=2), normal(5, 2, seed=3), normal(4, seed=4), normal(2, seed=5))
ROUNDED: dict[str, Any] = {"rounding": 1e-5, "tolerance": 2e-2, "step": 1e-1, "orders": 1}


def rounded(definition: Any, wanted: tuple[int, ...], *first: Any, **attrs: Any) -> Any:
    """The op on float32; of its outputs, those that its derivative is about."""

    def build(*inputs: Any) -> Any:
        outputs = apply(definition, *first, *(tf.cast(x, tf.float32) for x in inputs), **attrs)
        return [tf.cast(outputs[i], tf.float64) for i in wanted]

    return build


ROWS = [
    Row("LSTMBlockCell", rounded(blocks.LSTM_BLOCK_CELL, (1, 6), use_peephole=True, cell_clip=-1.0),
        (*STEP, *PEEPHOLES), **ROUNDED),
    Row("LSTMBlockCell", rounded(blocks.LSTM_BLOCK_CELL, (1, 6), cell_clip=-1.0), (*STEP, *PEEPHOLES), still=(4, 5, 6),
        label="without peepholes", **ROUNDED),
    Row("BlockLSTM", rounded(blocks.BLOCK_LSTM, (1, 6), np.int64(2), use_peephole=True, cell_clip=-1.0),
        STEPS, **ROUNDED),
    Row("BlockLSTMV2", rounded(blocks.BLOCK_LSTM_V2, (1, 6), np.int64(2), use_peephole=True), STEPS, **ROUNDED),
    Row("GRUBlockCell", rounded(blocks.GRU_BLOCK_CELL, (3,)), GRU, **ROUNDED),
]  # fmt: skip
