"""Decoding of connectionist temporal classification by a search over prefixes (Graves 2012, section 7.5).

A beam is a label sequence l with the probabilities that a path so far spells it and ends in a blank, or in its last
label.  At each moment every beam stays, by a blank or by its last label again, and those likely enough grow by a label.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.errors import FailedPreconditionError, InvalidArgumentError
from retrograd.graph.shapes import RawShape, merge_dim
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds, shape_rules

_NOTHING = -float("inf")


def _sum(a: float, b: float) -> float:
    """log(exp(a) + exp(b))"""
    if a == _NOTHING:
        return b
    if b == _NOTHING:
        return a
    high, low = (a, b) if a > b else (b, a)
    return float(high + np.log1p(np.exp(low - high)))


class _Beam:
    """A label sequence, by its last label and what stood before: log-probabilities now and one moment ago."""

    def __init__(self, parent: _Beam | None = None, label: int = -1) -> None:
        self.parent, self.label = parent, label
        self.children: dict[int, _Beam] = {}
        self.forget()
        self.was_total = self.was_blank = _NOTHING

    def forget(self) -> None:
        self.total = self.blank = self.by_label = _NOTHING

    def labels(self, merge_repeated: bool) -> list[int]:
        found: list[int] = []
        beam, after = self, -1
        while beam.parent is not None:
            if not merge_repeated or beam.label != after:
                found.append(beam.label)
            beam, after = beam.parent, beam.label
        return found[::-1]


def _grown_from(beam: _Beam, label: int) -> float:
    """How probable ``beam`` was one moment ago as what ``label`` follows: behind itself only after a blank."""
    return beam.was_blank if beam.label == label else beam.was_total


def _step(beams: list[_Beam], heard: np.ndarray, width: int) -> list[_Beam]:
    """The beams after one more moment, the most probable first."""
    blank = len(heard) - 1
    for beam in beams:
        beam.was_total, beam.was_blank = beam.total, beam.blank
    for beam in beams:
        if beam.parent is not None:
            if beam.parent.total != _NOTHING:
                beam.by_label = _sum(beam.by_label, _grown_from(beam.parent, beam.label))
            beam.by_label += float(heard[beam.label])
        beam.blank = beam.was_total + float(heard[blank])
        beam.total = _sum(beam.blank, beam.by_label)
    kept = sorted(beams, key=lambda beam: -beam.total)

    def counts(total: float) -> bool:
        return total > _NOTHING and (len(kept) < width or total > kept[-1].total)

    for beam in beams:
        if not counts(beam.was_total):
            continue
        for label in range(blank):
            child = beam.children.get(label)
            if child is None:
                child = beam.children[label] = _Beam(beam, label)
            if child.total != _NOTHING:
                continue
            child.blank = _NOTHING
            child.by_label = child.total = float(heard[label]) + _grown_from(beam, label)
            if not counts(child.total):
                child.forget()
                child.was_total = child.was_blank = _NOTHING
                continue
            if len(kept) == width:
                kept.pop().forget()
            place = len(kept)
            while place and kept[place - 1].total < child.total:
                place -= 1
            kept.insert(place, child)
    return kept


def _search(xp: Any, inputs: Any, lengths: Any, *, beam_width: int, top_paths: int, merge_repeated: bool) -> list[Any]:
    """The ``top_paths`` likeliest label sequences of each row, as sparse matrices, and their log-probabilities."""
    time, batch, _ = inputs.shape
    if top_paths > beam_width:
        raise InvalidArgumentError(None, None, "requested more paths than the beam width.")
    found: list[list[list[int]]] = [[] for _ in range(top_paths)]
    total = np.zeros((batch, top_paths), inputs.dtype)
    high = inputs.max(-1, keepdims=True)
    log_y = inputs - (high + np.log(np.exp(inputs - high).sum(-1, keepdims=True)))
    for b, length in enumerate(lengths.tolist()):
        if length > time:
            raise FailedPreconditionError(None, None, f"sequence_length({b}) <= {time}")
        root = _Beam()
        root.total = root.blank = 0.0
        beams = [root]
        for t in range(length):
            beams = _step(beams, log_y[t, b], beam_width)
        if len(beams) < top_paths:
            raise InvalidArgumentError(None, None, "Less leaves in the beam search than requested.")
        for path, beam in enumerate(beams[:top_paths]):
            found[path].append(beam.labels(merge_repeated))
            total[b, path] = beam.total
    sparse = [_sparse(rows) for rows in found]
    return [*(s[0] for s in sparse), *(s[1] for s in sparse), *(s[2] for s in sparse), total]


def _sparse(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    places = [(b, i) for b, row in enumerate(rows) for i in range(len(row))]
    values = np.array([v for row in rows for v in row], np.int64)
    shape = np.array([len(rows), max(map(len, rows), default=0)], np.int64)
    return np.array(places, np.int64).reshape(-1, 2), values, shape


def _search_shapes(inputs: Tensor, lengths: Tensor, *, top_paths: int) -> list[RawShape]:
    batch = merge_dim(shape_rules.with_rank(inputs, 3)[1], shape_rules.with_rank(lengths, 1)[0])
    shapes: list[RawShape] = [(None, 2)] * top_paths
    return [*shapes, *([(None,)] * top_paths), *([(2,)] * top_paths), (batch, top_paths)]


CTC_BEAM_SEARCH_DECODER = define(
    "CTCBeamSearchDecoder", "inputs: T, sequence_length: int32",
    "decoded_indices: top_paths*int64, decoded_values: top_paths*int64, decoded_shape: top_paths*int64, "
    "log_probability: T",
    attrs={"beam_width": 100, "top_paths": 1, "merge_repeated": True, "T": dtypes.float32},
    types={"T": kinds.PRECISE}, shape=_search_shapes, kernel=_search, effect=Effect.CHECK, gradient=not_differentiable,
)  # fmt: skip


def ctc_beam_search_decoder(
    inputs: Any, sequence_length: Any, beam_width: int = 100, top_paths: int = 1, merge_repeated: bool = True
) -> tuple[list[SparseTensor], Tensor]:
    """The ``top_paths`` likeliest label sequences, a sparse matrix each, and their log-probabilities.

    Args:
      inputs: logits (time, batch, classes), the last class the blank.
      merge_repeated: equal neighbours of the found labels become one, which is seldom wanted.
    """
    outputs = apply(
        CTC_BEAM_SEARCH_DECODER, inputs, sequence_length, beam_width=beam_width, top_paths=top_paths,
        merge_repeated=merge_repeated,
    )  # fmt: skip
    parts = [outputs[i * top_paths : (i + 1) * top_paths] for i in range(3)]
    return [SparseTensor(*path) for path in zip(*parts, strict=True)], outputs[-1]


def ctc_beam_search_decoder_v2(
    inputs: Any, sequence_length: Any, beam_width: int = 100, top_paths: int = 1
) -> tuple[list[SparseTensor], Tensor]:
    """``ctc_beam_search_decoder`` without merging."""
    return ctc_beam_search_decoder(inputs, sequence_length, beam_width, top_paths, merge_repeated=False)
