"""Seeds of datasets, as tensors."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import comparison, constants, random


def get_seed(seed: Any) -> tuple[Tensor, Tensor]:
    """The two seeds of a dataset that is built now; both 0 where neither the graph nor the dataset has one."""
    first, second = random.get_seed(seed)
    one = constants.constant(0, dtypes.int64, name="seed") if first is None else as_tensor(first, dtypes.int64, "seed")
    if second is None:
        return one, constants.constant(0, dtypes.int64, name="seed2")
    with name_scope("seed2") as scope:
        two = as_tensor(second, dtypes.int64)
        both_zero = comparison.logical_and(comparison.equal(one, 0), comparison.equal(two, 0))
        instead = constants.constant(2**31 - 1, dtypes.int64)
        return one, comparison.where(both_zero, instead, two, name=scope)
