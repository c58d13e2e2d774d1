"""Boxes that stay when those that overlap better ones are taken away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply, apply_named
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, merge_dim
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules
from retrograd.ops.quicksort import quicksort

Overlaps = Callable[[Any, Any], Any]  # of boxes, as rows, with others, as columns

_AT_ONCE = 128  # boxes that are held against each other


def _overlaps_of(boxes: Any) -> Overlaps:
    """Intersections over unions; a box of no area overlaps with nothing."""
    low, high = np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])
    areas = (high - low).prod(1)

    def between(rows: Any, columns: Any) -> Any:
        tops = [np.minimum.outer(high[rows, k], high[columns, k]) for k in range(2)]
        sides = [np.maximum(top - np.maximum.outer(low[rows, k], low[columns, k]), 0) for k, top in enumerate(tops)]
        both = sides[0] * sides[1]
        mine, others = areas[rows, None], areas[columns]
        return np.divide(both, others + mine - both, out=np.zeros_like(both), where=(others > 0) & (mine > 0))

    return between


@dataclass(slots=True)
class _Waiting:
    """A box that waits for its turn."""

    score: float
    index: int
    begin: int = 0  # the boxes chosen before this one have lowered the score


class _Queue:
    """Boxes by their scores; those of one score come in the order in which TensorFlow's binary heap has them.

    What leaves is replaced from below: the gap goes down to a leaf, to the right where two scores are the same, and
    the last box of the heap goes up from there (Floyd's way).
    """

    def __init__(self) -> None:
        self.heap: list[_Waiting] = []

    @classmethod
    def of(cls, scores: Any, least: float) -> _Queue:
        """The boxes whose scores are above ``least``."""
        queue = cls()
        for i, score in enumerate(scores.tolist()):
            if score > least:
                queue.push(_Waiting(score, i))
        return queue

    def __bool__(self) -> bool:
        return bool(self.heap)

    def push(self, box: _Waiting) -> None:
        self.heap.append(box)
        self._rise(len(self.heap) - 1, box)

    def pop(self) -> _Waiting:
        heap, last = self.heap, self.heap.pop()
        if not heap:
            return last
        best, gap, size = heap[0], 0, len(heap)
        while 2 * gap + 1 < size:
            left, right = 2 * gap + 1, 2 * gap + 2
            larger = left if right == size or heap[right].score < heap[left].score else right
            heap[gap] = heap[larger]
            gap = larger
        self._rise(gap, last)
        return best

    def _rise(self, place: int, box: _Waiting) -> None:
        heap = self.heap
        while place and heap[(place - 1) // 2].score < box.score:
            heap[place] = heap[(place - 1) // 2]
            place = (place - 1) // 2
        heap[place] = box


def _in_turn(scores: Any, least: float) -> tuple[Any, int]:
    """The boxes from the highest score down, and how many come before two that have the same."""
    falling = np.argsort(-scores, kind="stable")
    falling = falling[scores[falling] > least]
    ties = np.flatnonzero(np.diff(scores[falling]) == 0)
    return falling, int(ties[0]) if ties.size else len(falling)


def _kept(order: Any, most: int, meet: Overlaps, again: bool) -> list[int]:
    """Of boxes in turn at most so many of which none ``meet``.

    Each box that is left is a bit: that of a box kept is known from a row of bits which it takes away.

    Args:
      again: a box that does not meet itself is kept again and again.
    """
    kept: list[int] = []
    for begin in range(0, len(order), _AT_ONCE):
        part = order[begin : begin + _AT_ONCE]
        if kept:
            part = part[~meet(kept, part).any(0)]
        bits = np.packbits(meet(part, part), axis=1, bitorder="little")
        taken = 0
        for k, (box, row) in enumerate(zip(part.tolist(), bits, strict=True)):
            if taken >> k & 1:
                continue
            taken |= int.from_bytes(row.tobytes(), "little")
            kept += [box] * (most - len(kept) if again and not taken >> k & 1 else 1)
            if len(kept) >= most:
                return kept[:most]
    return kept


def _selected(scores: Any, most: int, overlaps: Overlaps, threshold: float, least: float) -> list[int]:
    """Boxes from the highest score down, without those that overlap with one taken before.

    One that is chosen waits again, to meet itself: that decides between equal scores.
    """

    def meet(rows: Any, columns: Any) -> Any:
        return overlaps(rows, columns) >= threshold

    order, untied = _in_turn(scores, least)
    kept = _kept(order[:untied], most, meet, again=True)
    if untied == len(order) or len(kept) >= most:
        return kept
    chosen: list[int] = []
    is_dropped = np.zeros(len(scores), np.bool_)
    every = np.arange(len(scores))
    waiting = _Queue.of(scores, least)
    while waiting and len(chosen) < most:
        best = waiting.pop()
        if not is_dropped[best.index]:
            waiting.push(best)
            chosen.append(best.index)
            is_dropped |= meet([best.index], every)[0]
    return chosen


def _softly_selected(
    scores: Any, most: int, overlaps: Overlaps, threshold: float, least: float, sigma: float
) -> tuple[list[int], list[float]]:
    """The same; and scores sink by ``exp(-overlap^2 / (2 sigma))`` where boxes overlap less, and wait again."""
    waiting = _Queue.of(scores, least)
    every = np.arange(len(scores))
    chosen: list[int] = []
    values: list[float] = []
    met: list[Any] = []  # of each chosen box the overlaps with all
    while waiting and len(chosen) < most:
        best = waiting.pop()
        i, score, dropped = best.index, best.score, False
        for j in range(len(chosen) - 1, best.begin - 1, -1):
            overlap = met[j][i]
            if overlap >= threshold:
                dropped = True
                break
            score *= float(np.exp(np.float32(-0.5 / sigma) * overlap * overlap))
            if score <= least:
                break
        if dropped:
            continue
        if score > least:
            waiting.push(_Waiting(score, i, len(chosen)))
        if score == best.score:
            chosen.append(i)
            values.append(score)
            met.append(overlaps([i], every)[0].astype(np.float32))
    return chosen, values


def _limits(most: Any, threshold: Any, what: str = "iou_threshold") -> tuple[int, float]:
    if not 0 <= threshold <= 1:
        raise InvalidArgumentError(None, None, f"{what} must be in [0, 1]")
    return int(most), float(threshold)


_NONE = float("-inf")


def _suppressed(xp: Any, boxes: Any, scores: Any, most: Any, threshold: Any, least: Any) -> Any:
    count, threshold = _limits(most, threshold)
    return np.array(_selected(scores, count, _overlaps_of(boxes), threshold, float(least)), np.int32)


def _suppressed_of_all(xp: Any, boxes: Any, scores: Any, most: Any, threshold: Any) -> Any:
    return _suppressed(xp, boxes, scores, most, threshold, _NONE)


def _suppressed_by_attribute(xp: Any, boxes: Any, scores: Any, most: Any, *, iou_threshold: float) -> Any:
    return _suppressed(xp, boxes, scores, most, iou_threshold, _NONE)


def _suppressed_and_padded(
    xp: Any, boxes: Any, scores: Any, most: Any, threshold: Any, least: Any, *, pad_to_max_output_size: bool
) -> list[Any]:
    chosen = _suppressed(xp, boxes, scores, most, threshold, least)
    padded = np.zeros(int(most), np.int32)
    padded[: len(chosen)] = chosen
    return [padded if pad_to_max_output_size else chosen, np.int32(len(chosen))]


def _softly_suppressed(
    xp: Any, boxes: Any, scores: Any, most: Any, threshold: Any, least: Any, sigma: Any, *,
    pad_to_max_output_size: bool,
) -> list[Any]:  # fmt: skip
    count, threshold = _limits(most, threshold)
    overlaps = _overlaps_of(boxes)
    if sigma > 0:
        chosen, values = _softly_selected(scores, count, overlaps, threshold, float(least), float(sigma))
    else:
        chosen = _selected(scores, count, overlaps, threshold, float(least))
        values = scores[chosen].tolist()
    length = count if pad_to_max_output_size else len(chosen)
    indices, kept = np.zeros(length, np.int32), np.zeros(length, scores.dtype)
    indices[: len(chosen)], kept[: len(chosen)] = chosen, values
    return [indices, kept, np.int32(len(chosen))]


def _suppressed_by_overlaps(xp: Any, overlaps: Any, scores: Any, most: Any, threshold: Any, least: Any) -> Any:
    chosen = _selected(scores, int(most), lambda a, b: overlaps[np.ix_(b, a)].T, float(threshold), float(least))
    return np.array(chosen, np.int32)


def _best(scores: Any, boxes: Any, most: int, threshold: float, least: float) -> list[tuple[float, int]]:
    """(score, box) from the highest score down; a box may overlap with one before it by as much as ``threshold``."""
    order, untied = _in_turn(scores, least)
    if untied < len(order):
        rows = [(float(s), i) for i, s in enumerate(scores) if s > least]
        quicksort(rows, _is_higher)
        order = np.array([i for _, i in rows])
    overlaps = _overlaps_of(boxes)
    kept = _kept(order, most, lambda rows, columns: ~(overlaps(rows, columns) <= threshold), again=False)
    return list(zip(scores[kept].astype(float).tolist(), kept, strict=True))


def _is_higher(a: Any, b: Any) -> bool:
    return bool(a[0] > b[0])


def _combined(
    xp: Any, boxes: Any, scores: Any, per_class: Any, total: Any, threshold: Any, least: Any, *, pad_per_class: bool,
    clip_boxes: bool,
) -> list[Any]:  # fmt: skip
    """Each class of each image on its own, then the best of all classes."""
    count, threshold = _limits(per_class, threshold)
    classes = scores.shape[2]
    size = min(int(total), count * classes) if pad_per_class else int(total)
    batch = boxes.shape[0]
    found = [
        np.zeros((batch, size, 4), np.float32),
        np.zeros((batch, size), np.float32),
        np.zeros((batch, size), np.float32),
    ]
    valid = np.zeros(batch, np.int32)
    for n in range(batch):
        rows: list[tuple[float, int, Any]] = []
        for c in range(classes):
            mine = boxes[n, :, min(c, boxes.shape[2] - 1)]
            rows += [(value, c, mine[i]) for value, i in _best(scores[n, :, c], mine, count, threshold, float(least))]
        quicksort(rows, _is_higher)
        rows = rows[:size]
        valid[n] = len(rows)
        for k, (value, c, box) in enumerate(rows):
            found[0][n, k] = np.clip(box, 0, 1) if clip_boxes else box
            found[1][n, k], found[2][n, k] = value, c
    return [*found, valid]


def _vector(*tensors: Tensor) -> RawShape:
    boxes, scores = shape_rules.with_rank(tensors[0], 2), shape_rules.with_rank(tensors[1], 1)
    for limit in tensors[2:]:
        shape_rules.with_rank(limit, 0)
    if None not in (boxes[0], scores[0]) and boxes[0] != scores[0]:
        raise ValueError(f"Dimensions must be equal, but are {boxes[0]} and {scores[0]}")
    if boxes[1] not in (4, None):
        raise ValueError(f"Dimension must be 4 but is {boxes[1]}")
    return (None,)


def _vector_of_overlaps(overlaps: Tensor, scores: Tensor, *rest: Tensor) -> RawShape:
    dims = shape_rules.with_rank(overlaps, 2)
    merge_dim(merge_dim(dims[0], dims[1]), shape_rules.with_rank(scores, 1)[0])
    return (None,)


def _padded_vector(*tensors: Tensor, pad_to_max_output_size: bool) -> list[RawShape]:
    shape = _vector(*tensors)
    value = static_value(tensors[2]) if pad_to_max_output_size else None
    return [(int(value),) if value is not None else shape, ()]


def _padded_vectors(*tensors: Tensor, pad_to_max_output_size: bool) -> list[RawShape]:
    shape, _ = _padded_vector(*tensors, pad_to_max_output_size=pad_to_max_output_size)
    return [shape, shape, ()]


def _combined_shapes(
    boxes: Tensor, scores: Tensor, per_class: Tensor, total: Tensor, *rest: Any, pad_per_class: bool
) -> list[RawShape]:
    batch = merge_dim(shape_rules.with_rank(boxes, 4)[0], shape_rules.with_rank(scores, 3)[0])
    most, classes = static_value(total), shape_rules.with_rank(scores, 3)[2]
    size = None if most is None else int(most)
    if pad_per_class:
        each = static_value(per_class)
        size = None if each is None or size is None or classes is None else min(size, int(each) * classes)
    return [(batch, size, 4), (batch, size), (batch, size), (batch,)]


_HALF_OR_SINGLE = (dtypes.float16, dtypes.float32)
_SUPPRESSION: dict[str, Any] = {"effect": Effect.CHECK, "gradient": not_differentiable}
_LIMITS = "max_output_size: int32, iou_threshold: T_threshold, score_threshold: T_threshold"
_TYPES = {"T": _HALF_OR_SINGLE, "T_threshold": _HALF_OR_SINGLE}
_TYPE_DEFAULTS = {"T": dtypes.float32, "T_threshold": dtypes.float32}
define(
    "NonMaxSuppression", "boxes: float32, scores: float32, max_output_size: int32", "selected_indices: int32",
    attrs={"iou_threshold": 0.5}, ranks={"boxes": "2: boxes must be 2-D{}"},
    shape=_vector, kernel=_suppressed_by_attribute, **_SUPPRESSION,
)  # fmt: skip
define(
    "NonMaxSuppressionV2", "boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold",
    "selected_indices: int32", attrs=_TYPE_DEFAULTS, types=_TYPES, ranks={"boxes": "2: boxes must be 2-D{}"},
    shape=_vector, kernel=_suppressed_of_all,
    **_SUPPRESSION,
)  # fmt: skip
SUPPRESSION = define(
    "NonMaxSuppressionV3", f"boxes: T, scores: T, {_LIMITS}", "selected_indices: int32", attrs=_TYPE_DEFAULTS,
    types=_TYPES, ranks={"boxes": "2: boxes must be 2-D{}"},
    shape=_vector, kernel=_suppressed, **_SUPPRESSION,
)  # fmt: skip
SUPPRESSION_V4 = define(
    "NonMaxSuppressionV4", f"boxes: T, scores: T, {_LIMITS}", "selected_indices: int32, valid_outputs: int32",
    attrs={**_TYPE_DEFAULTS, "pad_to_max_output_size": False}, types=_TYPES, static=("max_output_size",),
    shape=_padded_vector, kernel=_suppressed_and_padded, **_SUPPRESSION,
)  # fmt: skip
SUPPRESSION_V5 = define(
    "NonMaxSuppressionV5",
    "boxes: T, scores: T, max_output_size: int32, iou_threshold: T, score_threshold: T, soft_nms_sigma: T",
    "selected_indices: int32, selected_scores: T, valid_outputs: int32",
    attrs={"T": dtypes.float32, "pad_to_max_output_size": False}, types={"T": _HALF_OR_SINGLE},
    static=("max_output_size",), shape=_padded_vectors, kernel=_softly_suppressed, **_SUPPRESSION,
)  # fmt: skip
SUPPRESSION_BY_OVERLAPS = define(
    "NonMaxSuppressionWithOverlaps",
    "overlaps: float32, scores: float32, max_output_size: int32, overlap_threshold: float32, score_threshold: float32",
    "selected_indices: int32", shape=_vector_of_overlaps, kernel=_suppressed_by_overlaps, **_SUPPRESSION,
)  # fmt: skip
COMBINED_SUPPRESSION = define(
    "CombinedNonMaxSuppression",
    "boxes: float32, scores: float32, max_output_size_per_class: int32, max_total_size: int32, "
    "iou_threshold: float32, score_threshold: float32",
    "nmsed_boxes: float32, nmsed_scores: float32, nmsed_classes: float32, valid_detections: int32",
    attrs={"pad_per_class": False, "clip_boxes": True}, static=("max_output_size_per_class", "max_total_size"),
    shape=_combined_shapes, kernel=_combined, **_SUPPRESSION,
)  # fmt: skip


def non_max_suppression(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = _NONE,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Indices of at most ``max_output_size`` boxes, from the highest score down, that hardly overlap.

    A box is left out if it overlaps with one taken before by more than ``iou_threshold``.
    """
    with name_scope(name, "non_max_suppression"):
        threshold = as_tensor(iou_threshold, name="iou_threshold")
        least = as_tensor(score_threshold, name="score_threshold")
        return apply(SUPPRESSION, boxes, scores, max_output_size, threshold, least)


def non_max_suppression_padded(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = _NONE,
    pad_to_max_output_size: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """The same with the number of boxes; the indices may be padded with zeros."""
    with name_scope(name, "non_max_suppression_padded"):
        threshold = as_tensor(iou_threshold, name="iou_threshold")
        least = as_tensor(score_threshold, name="score_threshold")
        return apply_named(
            SUPPRESSION_V4, boxes, scores, max_output_size, threshold, least,
            pad_to_max_output_size=pad_to_max_output_size,
        )  # fmt: skip


def non_max_suppression_with_scores(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = _NONE,
    soft_nms_sigma: Any = 0.0, name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Indices and scores; with ``soft_nms_sigma``, scores sink where boxes overlap."""
    with name_scope(name, "non_max_suppression_with_scores"):
        threshold = as_tensor(iou_threshold, name="iou_threshold")
        least = as_tensor(score_threshold, name="score_threshold")
        sigma = as_tensor(soft_nms_sigma, name="soft_nms_sigma")
        indices, kept, _ = apply(
            SUPPRESSION_V5, boxes, scores, max_output_size, threshold, least, sigma, pad_to_max_output_size=False
        )
        return indices, kept


def non_max_suppression_overlaps(
    overlaps: Any, scores: Any, max_output_size: Any, overlap_threshold: Any = 0.5, score_threshold: Any = _NONE,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The same for any square matrix of ``overlaps``."""
    with name_scope(name, "non_max_suppression_overlaps"):
        threshold = as_tensor(overlap_threshold, name="overlap_threshold")
        return apply(SUPPRESSION_BY_OVERLAPS, overlaps, scores, max_output_size, threshold, score_threshold)


def combined_non_max_suppression(
    boxes: Any,
    scores: Any,
    max_output_size_per_class: Any,
    max_total_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = _NONE,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
    name: str | None = None,
) -> Any:
    """Suppression in each class of each image, and the best of what is left: boxes, scores, classes, counts."""
    with name_scope(name, "combined_non_max_suppression"):
        threshold = as_tensor(iou_threshold, dtype=dtypes.float32, name="iou_threshold")
        least = as_tensor(score_threshold, dtype=dtypes.float32, name="score_threshold")
        return apply_named(
            COMBINED_SUPPRESSION, boxes, scores, max_output_size_per_class, max_total_size, threshold, least,
            pad_per_class=pad_per_class, clip_boxes=clip_boxes,
        )  # fmt: skip
