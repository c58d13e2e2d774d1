"""The ancestors of beams."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape, merge_dim
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules


def _tree_shape(step_ids: Tensor, parent_ids: Tensor, max_sequence_lengths: Tensor, end_token: Tensor) -> RawShape:
    dims = [
        merge_dim(a, b) for a, b in zip(*(shape_rules.with_rank(x, 3) for x in (step_ids, parent_ids)), strict=True)
    ]
    batch = merge_dim(dims[1], shape_rules.with_rank(max_sequence_lengths, 1)[0])
    shape_rules.with_rank(end_token, 0)
    return (dims[0], batch, dims[2])


def _tree(xp: Any, step_ids: Any, parent_ids: Any, max_sequence_lengths: Any, end_token: Any) -> Any:
    """From the last step of each sequence back along the parents; end tokens from the first one on."""
    steps, _, beams = step_ids.shape
    lengths = xp.minimum(max_sequence_lengths, steps)[:, None]
    beam = xp.broadcast_to(xp.arange(beams), step_ids.shape[1:])
    found, wrong = [], []
    for t in reversed(range(steps)):
        inside = t < lengths
        found.append(xp.where(inside, xp.take_along_axis(step_ids[t], beam, 1), end_token))
        parents = xp.take_along_axis(parent_ids[t], beam, 1)
        if xp is np:
            wrong += _wrong_parents(parents, inside & (t > 0), beams, t)
        beam = xp.where(inside, xp.clip(parents, 0, beams - 1), beam)
    if not found:
        return step_ids
    if wrong:
        b, k, t, parent = min(wrong)
        place = f"(batch, time, beam) == ({b}, {-t}, {k})"
        raise InvalidArgumentError(None, None, f"Saw invalid parent id {parent} at {place}")
    result = xp.stack(found[::-1])
    ended = xp.cumsum(result == end_token, axis=0) > 0
    return xp.where(ended, end_token, result).astype(step_ids.dtype)


def _wrong_parents(parents: Any, read: Any, beams: int, t: int) -> list[tuple[int, int, int, int]]:
    """Batch, beam, minus the step before ``t``, and id of each parent that is read and is none."""
    places = np.argwhere(read & ((parents < 0) | (parents >= beams))).tolist()
    return [(b, k, 1 - t, int(parents[b, k])) for b, k in places]


GATHER_TREE = define(
    "GatherTree", "step_ids: T, parent_ids: T, max_sequence_lengths: int32, end_token: T", "beams: T",
    types={"T": (dtypes.int32,)}, shape=_tree_shape, kernel=_tree, gradient=not_differentiable,
)  # fmt: skip


def gather_tree(
    step_ids: Any, parent_ids: Any, max_sequence_lengths: Any, end_token: Any, name: str | None = None
) -> Tensor:
    """The beams ``[time, batch, beam]`` that the last steps came from, with ``end_token`` behind the first one.

    Args:
      step_ids, parent_ids: ``[time, batch, beam]``: the symbol of a step, and the beam that it continued.
      max_sequence_lengths: ``[batch]``.

    Raises:
      InvalidArgumentError: at run time, there is no such parent.
    """
    return apply(GATHER_TREE, step_ids, parent_ids, max_sequence_lengths, end_token, name=name)
