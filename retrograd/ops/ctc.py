"""Connectionist temporal classification: the loss of label sequences whose timing is not known, and decoding.

A path gives each moment a label or the blank, which is the last class; its label sequence is what is left
when equal neighbours are merged and blanks dropped.  The loss is -log of the sum of the probabilities of all
paths of the wanted sequence, found by sums along time over states: blank, label, blank, label, ..., blank.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.errors import FailedPreconditionError, InvalidArgumentError
from retrograd.graph.shapes import RawShape, merge_dim
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, kinds, permuting, shape_rules

# -- the loss ----------------------------------------------------------------------------------


def _loss_shapes(inputs: Tensor, indices: Tensor, values: Tensor, lengths: Tensor) -> list[RawShape]:
    dims = shape_rules.with_rank(inputs, 3)
    merge_dim(shape_rules.with_rank(indices, 2)[0], shape_rules.with_rank(values, 1)[0])
    batch = merge_dim(dims[1], shape_rules.with_rank(lengths, 1)[0])
    return [(batch,), (dims[0], batch, dims[2])]


def _loss(
    xp: Any, inputs: Any, indices: Any, values: Any, lengths: Any, *, preprocess_collapse_repeated: bool,
    ctc_merge_repeated: bool, ignore_longer_outputs_than_inputs: bool,
) -> list[Any]:  # fmt: skip
    """The loss of each sequence, and its slope: softmax(x) less how probable each class is, given the labels."""
    time, batch, classes = inputs.shape
    if batch == 0:
        raise InvalidArgumentError(None, None, "batch_size must not be 0")
    _check_lengths(lengths, batch, time)
    labels = _label_rows(indices, values, batch, classes - 1, preprocess_collapse_repeated)
    skipped = _check_time(labels, lengths, ignore_longer_outputs_than_inputs)
    states, sizes = _states(labels, classes - 1)
    log_y = inputs - inputs.max(-1, keepdims=True)
    log_y = log_y - np.log(np.exp(log_y).sum(-1, keepdims=True))
    heard = np.take_along_axis(log_y, np.broadcast_to(states, (time, *states.shape)), 2)
    stay = (states == classes - 1) | ctc_merge_repeated
    leap = np.zeros(states.shape, bool)
    leap[:, 3::2] = (states[:, 3::2] != states[:, 1:-2:2]) | (not ctc_merge_repeated)
    log_paths = _log_paths(heard, stay, leap, sizes, lengths)
    rows = np.arange(batch)
    log_p = np.logaddexp.reduce(log_paths[np.maximum(lengths, 1) - 1, rows], -1)
    known = np.isfinite(log_p)
    share = np.exp(log_paths - np.where(known, log_p, 0.0)[:, None])
    place = (np.arange(time)[:, None, None] * batch + rows[:, None]) * classes + states
    taken = np.bincount(place.ravel(), share.ravel(), inputs.size).reshape(inputs.shape)
    during = (np.arange(time)[:, None] < lengths) & ~skipped
    slope = np.where(during[..., None], np.exp(log_y) - taken, 0.0)
    return [np.where(skipped, 0.0, -log_p).astype(inputs.dtype), slope.astype(inputs.dtype)]


def _check_lengths(lengths: Any, batch: int, time: int) -> None:
    if len(lengths) != batch:
        raise InvalidArgumentError(
            None, None,
            f"len(sequence_length) != batch_size.  len(sequence_length):  {len(lengths)} batch_size: {batch}",
        )  # fmt: skip
    for b, length in enumerate(lengths.tolist()):
        if length > time:
            raise InvalidArgumentError(None, None, f"sequence_length({b}) <= {time}")


def _label_rows(indices: Any, values: Any, batch: int, blank: int, collapse: bool) -> list[list[int]]:
    """The labels of each sequence, up to the first that is no class."""
    rows: list[list[int]] = [[] for _ in range(batch)]
    for n, ((b, place), value) in enumerate(zip(indices.tolist(), values.tolist(), strict=True)):
        if not 0 <= b < batch:
            raise InvalidArgumentError(
                None, None, f"label SparseTensor is not valid: indices[{n}] = [{b},{place}] is out of bounds: need "
                f"0 <= index < [{batch},{indices[:, 1].max() + 1}]",
            )  # fmt: skip
        rows[b].append(value)
    result = []
    for b, row in enumerate(rows):
        if not row:
            raise InvalidArgumentError(None, None, f"Labels length is zero in batch {b}")
        if min(row) < 0:
            raise InvalidArgumentError(
                None, None,
                f"All labels must be nonnegative integers, batch: {b} labels: {','.join(map(str, row))}",
            )  # fmt: skip
        if collapse:
            row = [v for i, v in enumerate(row) if not i or v != row[i - 1]]
        end = next((i for i, v in enumerate(row) if v >= blank), len(row))
        if any(v < blank for v in row[end:]):
            raise InvalidArgumentError(
                None, None,
                f"Saw a non-null label (index >= num_classes - 1) following a null label, batch: {b} num_classes: "
                f"{blank + 1} labels: {','.join(map(str, row))} labels seen so far: {','.join(map(str, row[:end]))}",
            )  # fmt: skip
        result.append(row[:end])
    return result


def _check_time(labels: list[list[int]], lengths: Any, ignore: bool) -> Any:
    """Which sequences are too long for their inputs, where these are to be left out."""
    short = np.array([len(row) > length for row, length in zip(labels, lengths.tolist(), strict=True)])
    if short.any() and not ignore:
        b = int(np.argmax(short))
        raise InvalidArgumentError(
            None, None,
            f"Not enough time for target transition sequence (required: {len(labels[b])}, available: {lengths[b]}){b}"
            "You can turn this error into a warning by using the flag ignore_longer_outputs_than_inputs",
        )  # fmt: skip
    return short


def _states(labels: list[list[int]], blank: int) -> tuple[Any, Any]:
    """The class of each state, and how many states each row has; rows are filled up with blanks."""
    sizes = np.array([2 * len(row) + 1 for row in labels])
    states = np.full((len(labels), sizes.max()), blank)
    for b, row in enumerate(labels):
        states[b, 1 : 2 * len(row) : 2] = row
    return states, sizes


def _log_paths(heard: Any, stay: Any, leap: Any, sizes: Any, lengths: Any) -> Any:
    """Log of the probability of all paths that are in state u at t: of all up to there, and of all from there on.

    What may follow is what comes before in sequences that are turned round, in time and in their states; so both
    are found in one pass through a batch of twice as many.
    """
    turned = _turned(heard, lengths, sizes, -np.inf)
    stays, leaps = _turned(stay[None], None, sizes, False)[0], np.zeros(leap.shape, bool)
    leaps[:, 2:] = _turned(leap[None, :, 2:], None, np.maximum(sizes - 2, 0), False)[0]
    before = _summed(
        np.concatenate([heard, turned], 1), np.concatenate([stay, stays]), np.concatenate([leap, leaps]),
        np.tile(sizes, 2),
    )  # fmt: skip
    alpha, after = np.split(before, 2, axis=1)
    with np.errstate(invalid="ignore"):
        log_paths = alpha + (_turned(after, lengths, sizes, -np.inf) - heard)  # the moment itself is in both
    return np.where(alpha > -np.inf, log_paths, -np.inf)


def _turned(x: Any, lengths: Any, sizes: Any, rest: Any) -> Any:
    """Each sequence of (time, batch, states) from its end to its start, in time and in states; ``rest`` behind it."""
    y = np.full_like(x, rest)
    for b, size in enumerate(sizes.tolist()):
        part = np.s_[: None if lengths is None else lengths[b], b, :size]
        y[part] = x[part][::-1, ::-1]
    return y


def _log(mask: Any) -> Any:
    return np.where(mask, 0.0, -np.inf)


def _summed(heard: Any, stay: Any, leap: Any, sizes: Any) -> Any:
    """Log of the probability of all paths that lead to each state, (time, batch, states)."""
    log_stay, log_leap = None if stay.all() else _log(stay), _log(leap)
    result = np.full(heard.shape, -np.inf)
    result[0] = np.where(np.arange(heard.shape[2]) < np.minimum(sizes, 2)[:, None], heard[0], -np.inf)
    before = np.full((heard.shape[1], heard.shape[2] + 2), -np.inf)  # with nothing in front of the first state
    terms = np.empty((3, *heard.shape[1:]), heard.dtype)
    with np.errstate(divide="ignore"):
        for t in range(1, len(heard)):
            before[:, 2:] = result[t - 1]
            stayed = before[:, 2:] if log_stay is None else before[:, 2:] + log_stay
            leapt = before[:, :-2] + log_leap
            top = np.maximum(stayed, leapt)
            np.maximum(top, before[:, 1:-1], out=top)
            np.maximum(top, _LOWEST, out=top)
            for term, path in zip(terms, (stayed, before[:, 1:-1], leapt), strict=True):
                np.subtract(path, top, out=term, casting="same_kind")
            np.exp(terms, out=terms)
            terms[0] += terms[1]
            terms[0] += terms[2]
            top += np.log(terms[0], out=terms[0])
            np.add(top, heard[t], out=result[t])
    return result


_LOWEST = -1e300  # of what is subtracted: nothing less nothing is no number


_NO_SECOND_ORDER = (
    "Currently there is no way to take the second  derivative of ctc_loss due to the fused implementation's "
    "interaction  with tf.gradients()"
)


def _loss_gradient(op: Any, dloss: Any, _: Any) -> list[Any]:
    """dx = dloss * slope; as in TensorFlow it cannot be differentiated again, and says so."""
    slope = arrays.prevent_gradient(op.outputs[1], message=_NO_SECOND_ORDER)
    return [arrays.expand_dims(dloss, -1) * slope, None, None, None]


CTC_LOSS = define(
    "CTCLoss", "inputs: T, labels_indices: int64, labels_values: int32, sequence_length: int32",
    "loss: T, gradient: T",
    attrs={
        "preprocess_collapse_repeated": False, "ctc_merge_repeated": True, "ignore_longer_outputs_than_inputs": False,
        "T": dtypes.float32,
    },
    types={"T": kinds.PRECISE}, ranks={
        "inputs": "3: inputs is not a 3-Tensor",
        "labels_indices": ("2: labels_indices is not a matrix", "[?,2]: Order length must be SparseTensor rank."),
        "labels_values": "1: labels_values is not a vector",
        "sequence_length": "1: sequence_length is not a vector",
    },
    shape=_loss_shapes, kernel=_loss, effect=Effect.CHECK, gradient=_loss_gradient,
)  # fmt: skip


def ctc_loss(
    labels: Any,
    inputs: Any = None,
    sequence_length: Any = None,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
    time_major: bool = True,
    logits: Any = None,
) -> Tensor:
    """``-log p(labels)`` of each sequence: ``inputs`` are logits (time, batch, classes), the last class is the blank.

    Args:
      labels: an int32 ``SparseTensor`` (batch, longest).
      preprocess_collapse_repeated: merge equal neighbours of the labels first.
      ctc_merge_repeated: merge equal neighbours of a path.
      ignore_longer_outputs_than_inputs: a loss of 0 where there are more labels than moments.
      time_major: False where ``inputs`` are (batch, time, classes).

    Raises:
      TypeError: the labels are not sparse.
    """
    if not isinstance(labels, SparseTensor):
        raise TypeError("Expected labels (first argument) to be a SparseTensor")
    inputs = deprecated_argument_lookup("logits", logits, "inputs", inputs)
    if not time_major:
        inputs = permuting.transpose(inputs, [1, 0, 2])
    loss, _ = apply(
        CTC_LOSS, inputs, labels.indices, labels.values, sequence_length,
        preprocess_collapse_repeated=preprocess_collapse_repeated, ctc_merge_repeated=ctc_merge_repeated,
        ignore_longer_outputs_than_inputs=ignore_longer_outputs_than_inputs,
    )  # fmt: skip
    return loss


# -- decoding ----------------------------------------------------------------------------------


def _greedy_shapes(inputs: Tensor, lengths: Tensor) -> list[RawShape]:
    batch = merge_dim(shape_rules.with_rank(inputs, 3)[1], shape_rules.with_rank(lengths, 1)[0])
    return [(None, 2), (None,), (2,), (batch, 1)]


def _greedy(xp: Any, inputs: Any, lengths: Any, *, merge_repeated: bool) -> list[Any]:
    """At each moment the class of the largest logit; without blanks, and if asked for without repetitions."""
    time, batch, classes = inputs.shape
    for b, length in enumerate(lengths.tolist()):
        if length > time:
            raise FailedPreconditionError(None, None, f"sequence_length({b}) <= {time}")
    within = np.arange(time)[:, None] < lengths
    best = inputs.argmax(-1)
    total = -np.where(within, inputs.max(-1), 0).sum(0, dtype=inputs.dtype)
    kept = within & (best != classes - 1)
    if merge_repeated:
        kept[1:] &= best[1:] != best[:-1]
    rows, moments = np.nonzero(kept.T)
    counts = kept.sum(0)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    shape = np.array([batch, counts.max(initial=0)], np.int64)
    return [np.stack([rows, places], 1), best[moments, rows], shape, total[:, None]]


CTC_GREEDY_DECODER = define(
    "CTCGreedyDecoder", "inputs: T, sequence_length: int32",
    "decoded_indices: int64, decoded_values: int64, decoded_shape: int64, log_probability: T",
    attrs={"merge_repeated": False, "T": dtypes.float32}, types={"T": kinds.PRECISE}, shape=_greedy_shapes,
    kernel=_greedy, effect=Effect.CHECK, gradient=not_differentiable,
)  # fmt: skip


def ctc_greedy_decoder(
    inputs: Any, sequence_length: Any, merge_repeated: bool = True
) -> tuple[list[SparseTensor], Tensor]:
    """The labels of the best path, as a list of one sparse tensor, and minus the sum of its logits."""
    indices, values, shape, total = apply(CTC_GREEDY_DECODER, inputs, sequence_length, merge_repeated=merge_repeated)
    return [SparseTensor(indices, values, shape)], total
