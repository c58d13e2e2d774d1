"""Decoding of connectionist temporal classification by a search over prefixes (Graves 2012, section 7.5).

A beam is a label sequence l with the probabilities that a path so far spells it and ends in a blank, or in its last
label.  At each moment every beam stays, by a blank or by its last label again, and those likely enough grow by a label.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.errors import FailedPreconditionError, InvalidArgumentError
from retrograd.graph.shapes import RawShape, merge_dim
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds, shape_rules

_NOTHING = -float("inf")


class _Beams:
    """The beams of every row of a batch, (rows, slots), the most probable first.

    A label sequence has one number as long as the search lasts, so a beam that was given up and comes back finds
    those that grew out of it.
    """

    def __init__(self, rows: int, classes: int, width: int) -> None:
        self.width, self.classes = width, classes
        self.number: dict[int, int] = {-1 - row: row for row in range(rows)}  # of sequence * classes + label
        self.slot_of = np.full(2 * rows + 1, -1)  # of each sequence; the last stands for what no beam is
        self.slot_of[:rows] = 0
        self.count = np.ones(rows, np.intp)
        self.beam, self.parent, self.label = (np.full((rows, width), -1) for _ in range(3))
        self.total, self.blank, self.by_label = (np.full((rows, width), _NOTHING) for _ in range(3))
        self.beam[:, 0] = np.arange(rows)
        self.total[:, 0] = self.blank[:, 0] = 0

    def step(self, heard: np.ndarray) -> None:
        """One more moment of the first rows, in which ``heard`` are the log-probabilities (rows, classes)."""
        now = slice(len(heard)), slice(int(self.count[: len(heard)].max()))
        beam, parent, label = self.beam[now], self.parent[now], self.label[now]
        was_total, was_blank = self.total[now], self.blank[now]
        rows = np.arange(len(heard))[:, None]
        place = self.slot_of[parent]
        grown = np.where(label == label[rows, place], was_blank[rows, place], was_total[rows, place])
        blank = was_total + heard[:, -1:]
        is_after, lives = place < np.arange(place.shape[1]), was_total > _NOTHING
        while True:  # those before have been brought up to this moment, and may be impossible now
            is_heard = (place >= 0) & np.where(is_after, lives[rows, place], was_total[rows, place] > _NOTHING)
            by_label = np.logaddexp(self.by_label[now], np.where(is_heard, grown, _NOTHING)) + heard[rows, label]
            total = np.logaddexp(blank, by_label)
            if ((total > _NOTHING) == lives).all():
                break
            lives = total > _NOTHING
        row, slot, new, value = self._children(heard, total, place)
        olds = np.nonzero(beam >= 0)
        values, of_rows = np.concatenate([total[olds], value]), np.concatenate([olds[0], row])
        order = np.lexsort((-values, of_rows))
        of_rows = of_rows[order]
        rank = np.arange(len(order)) - np.searchsorted(of_rows, of_rows)
        is_kept = rank < self.width
        order, at = order[is_kept], (of_rows[is_kept], rank[is_kept])

        def chosen(of_olds: Any, of_new: Any) -> Any:
            return np.concatenate([of_olds[olds], np.broadcast_to(of_new, row.shape)])[order]

        parents, labels, beams = chosen(parent, beam[row, slot]), chosen(label, new), chosen(beam, -1)
        self.slot_of[beam] = -1
        self._name(beams, parents, labels)
        self.slot_of[beams] = at[1]
        self.count[now[0]] = np.bincount(at[0], minlength=len(heard))
        blanks, sums = chosen(blank, _NOTHING), chosen(by_label, value)
        self.beam[at], self.parent[at], self.label[at] = beams, parents, labels
        self.total[at], self.blank[at], self.by_label[at] = values[order], blanks, sums

    def _children(self, heard: np.ndarray, total: np.ndarray, place: np.ndarray) -> tuple[Any, Any, Any, Any]:
        """Sequences that begin now and may be kept: row, slot of the one before, label, log-probability.

        They stand in the order in which those of one probability are kept: by slots, then by labels.
        """
        now = slice(total.shape[0]), slice(total.shape[1])
        label, was_total, was_blank = self.label[now], self.total[now], self.blank[now]
        least = np.where(self.count[now[0]] == self.width, total.min(1), _NOTHING)[:, None]
        audible = np.flatnonzero((heard[:, :-1] + was_total.max(1, keepdims=True) > least).any(0))
        column = np.full(self.classes, -1)
        column[audible] = np.arange(len(audible))
        values = heard[:, None, audible] + was_total[:, :, None]
        row, slot = np.nonzero((label >= 0) & (column[label] >= 0))  # behind itself only after a blank
        again = label[row, slot]
        values[row, slot, column[again]] = heard[row, again] + was_blank[row, slot]
        row, slot = np.nonzero((place >= 0) & (column[label] >= 0))  # such a beam is there
        values[row, place[row, slot], column[label[row, slot]]] = _NOTHING
        self._silence(values, total, place, np.searchsorted(audible, label), least)
        values = values.reshape(len(heard), -1)
        is_found = values > least
        if np.count_nonzero(is_found) > 2 * self.width * len(heard):
            is_found &= values >= self._last_kept(values)
        row, child = np.nonzero(is_found)
        return row, child // len(audible), audible[child % len(audible)], values[row, child]

    def _silence(self, values: Any, total: Any, place: Any, column: Any, least: Any) -> None:
        """Take from ``values`` what TensorFlow does not hear.

        It goes through the beams in turn.  A beam that was given up meanwhile, and that it meets again as a child of
        one before it, has forgotten how probable it was, and bears no children.
        """
        last = self._last_kept(np.concatenate([total, values.reshape(len(total), -1)], 1))
        is_given_up = (total <= last) & (place >= 0) & (place < np.arange(total.shape[1]))
        if not is_given_up.any():
            return
        is_given_up &= values.max(2, initial=_NOTHING) > least
        was_total = self.total[: total.shape[0], : total.shape[1]].copy()
        for row, slot in zip(*np.nonzero(is_given_up), strict=True):
            beams, children, parent, own = total[row], values[row], place[row, slot], total[row, slot]
            high = was_total[row, parent]
            is_barren = np.sum(beams >= high) + np.sum(children[:parent] >= high) >= self.width
            before = children.reshape(-1)[: parent * children.shape[1] + column[row, slot]]
            better = np.sum(beams > own) + np.sum(beams[:slot] == own) + np.sum(before > own)
            if not is_barren and better >= self.width:
                was_total[row, slot] = children[slot] = _NOTHING

    def _last_kept(self, values: Any) -> Any:
        """The least of the values (rows, any) that a row has room for, as a column."""
        if values.shape[1] < self.width:
            return np.full((len(values), 1), _NOTHING)
        return np.partition(values, -self.width, axis=1)[:, -self.width, None]

    def _name(self, beams: np.ndarray, parents: np.ndarray, labels: np.ndarray) -> None:
        """Give the numbers of their sequences to the ``beams`` that have none."""
        new = np.flatnonzero(beams < 0)
        keys = (parents[new] * self.classes + labels[new]).tolist()
        beams[new] = [self.number.setdefault(key, len(self.number)) for key in keys]
        if len(self.number) >= len(self.slot_of):
            self.slot_of = np.append(self.slot_of, np.full(len(self.number), -1))

    def sequences(self, merge_repeated: bool) -> Callable[[int], list[int]]:
        """The labels of a sequence by its number."""
        keys = list(self.number)

        def labels(number: int) -> list[int]:
            found: list[int] = []
            after = -1
            while keys[number] >= 0:
                number, label = divmod(keys[number], self.classes)
                if not merge_repeated or label != after:
                    found.append(label)
                after = label
            return found[::-1]

        return labels


def _search(xp: Any, inputs: Any, lengths: Any, *, beam_width: int, top_paths: int, merge_repeated: bool) -> list[Any]:
    """The ``top_paths`` likeliest label sequences of each row, as sparse matrices, and their log-probabilities."""
    time, batch, classes = inputs.shape
    if top_paths > beam_width:
        raise InvalidArgumentError(None, None, "requested more paths than the beam width.")
    if (lengths > time).any():
        raise FailedPreconditionError(None, None, f"sequence_length({np.argmax(lengths > time)}) <= {time}")
    high = inputs.max(-1, keepdims=True)
    log_y = inputs - (high + np.log(np.exp(inputs - high).sum(-1, keepdims=True)))
    longest = np.argsort(-lengths, kind="stable")
    log_y = log_y[:, longest].astype(np.float64)
    beams = _Beams(batch, classes, beam_width)
    for t in range(max(lengths, default=0)):
        beams.step(log_y[t, : np.count_nonzero(lengths > t)])
    if (beams.count < top_paths).any():
        raise InvalidArgumentError(None, None, "Less leaves in the beam search than requested.")
    back = np.argsort(longest)
    labels = beams.sequences(merge_repeated)
    sparse = [_sparse([labels(number) for number in beams.beam[back, path].tolist()]) for path in range(top_paths)]
    total = beams.total[back, :top_paths].astype(inputs.dtype)
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
    attrs={"beam_width": REQUIRED, "top_paths": REQUIRED, "merge_repeated": True, "T": dtypes.float32},
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
