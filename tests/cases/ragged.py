"""Rows of different lengths."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import Row, normal

from retrograd.graph.apply import apply
from retrograd.ops import ragged
from retrograd.ops.ragged_dense import RAGGED_TENSOR_TO_TENSOR

OUTER, INNER = np.array([0, 2, 2, 3]), np.array([0, 1, 4, 6])
WHICH = np.array([2, 0, 2], np.int32)


def gathered(x: Any) -> Any:
    return apply(ragged.RAGGED_GATHER, [OUTER, INNER], x, WHICH, OUTPUT_RAGGED_RANK=2)[-1]


def sparse(x: Any) -> Any:
    return apply(ragged.RAGGED_TENSOR_TO_SPARSE, [OUTER, INNER], x)


def dense(x: Any, default: Any) -> Any:
    partitions = [np.int64(3), np.array([0, 0, 2]), INNER]
    types = ["FIRST_DIM_SIZE", "VALUE_ROWIDS", "ROW_SPLITS"]
    return apply(RAGGED_TENSOR_TO_TENSOR, [3, 2, -1, 2], x, default, partitions, row_partition_types=types)


ROWS = [
    Row("RaggedRange", lambda a, b: apply(ragged.RAGGED_RANGE, a, b, 1), (np.array([0, 3, 5]), np.array([2, 3, 9])),
        orders=0),
    Row("RaggedGather", gathered, (normal(6, 2),)),
    Row("RaggedTensorToTensor", dense, (normal(6, 2), normal(2, seed=1))),
    Row("RaggedTensorToSparse", lambda x: sparse(x)[1], (normal(6, 2),)),
]  # fmt: skip
