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
    states, ends = _states(labels, classes - 1)
    log_y = inputs - inputs.max(-1, keepdims=True)
    log_y = log_y - np.log(np.exp(log_y).sum(-1, keepdims=True))
    heard = np.take_along_axis(log_y, np.broadcast_to(states, (time, *states.shape)), 2)
    stay = (states == classes - 1) | ctc_merge_repeated
    leap = np.zeros(states.shape, bool)
    leap[:, 3::2] = (states[:, 3::2] != states[:, 1:-2:2]) | (not ctc_merge_repeated)
    alpha = _forward(heard, stay, leap)
    beta = _backward(heard, stay, leap, ends, lengths)
    log_paths = alpha + beta
    rows = np.arange(batch)
    log_p = np.logaddexp.reduce(log_paths[np.maximum(lengths, 1) - 1, rows], -1)
    known = np.isfinite(log_p)
    share = np.exp(log_paths - np.where(known, log_p, 0.0)[:, None])
    taken = np.zeros(inputs.shape, share.dtype)
    for u in range(states.shape[1]):
        taken[:, rows, states[:, u]] += share[:, :, u]
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
    """The class of each state, and which states a path may end in; rows are filled up with blanks."""
    width = 2 * max(map(len, labels)) + 1
    states = np.full((len(labels), width), blank)
    ends = np.zeros(states.shape, bool)
    for b, row in enumerate(labels):
        states[b, 1 : 2 * len(row) : 2] = row
        ends[b, max(2 * len(row) - 1, 0) : 2 * len(row) + 1] = True
    return states, ends


def _log(mask: Any) -> Any:
    return np.where(mask, 0.0, -np.inf)


def _shifted(x: Any, by: int) -> Any:
    """The states ``by`` further on, with nothing behind the ends."""
    y = np.full(x.shape, -np.inf)
    if by > 0:
        y[:, by:] = x[:, :-by]
    else:
        y[:, :by] = x[:, -by:]
    return y


def _forward(heard: Any, stay: Any, leap: Any) -> Any:
    """alpha[t, b, u]: log of the probability of all paths that are in state u at t."""
    alpha = np.full(heard.shape, -np.inf)
    alpha[0, :, :2] = heard[0, :, :2]
    for t in range(1, len(heard)):
        before = alpha[t - 1]
        reached = np.logaddexp(before + _log(stay), _shifted(before, 1))
        alpha[t] = np.logaddexp(reached, _shifted(before, 2) + _log(leap)) + heard[t]
    return alpha


def _backward(heard: Any, stay: Any, leap: Any, ends: Any, lengths: Any) -> Any:
    """beta[t, b, u]: log of the probability of all that may follow on state u at t."""
    beta = np.full(heard.shape, -np.inf)
    for t in range(len(heard) - 1, -1, -1):
        if t + 1 < len(heard):
            after = beta[t + 1] + heard[t + 1]
            left = np.logaddexp(after + _log(stay), _shifted(after, -1))
            beta[t] = np.logaddexp(left, _shifted(after + _log(leap), -2))
        beta[t] = np.where((lengths == t + 1)[:, None], _log(ends), beta[t])
    return beta


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
    types={"T": kinds.PRECISE}, shape=_loss_shapes, kernel=_loss, effect=Effect.CHECK, gradient=_loss_gradient,
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
    rows: list[list[int]] = []
    total = np.zeros((batch, 1), inputs.dtype)
    for b, length in enumerate(lengths.tolist()):
        if length > time:
            raise FailedPreconditionError(None, None, f"sequence_length({b}) <= {time}")
        best = inputs[:length, b].argmax(-1).tolist()
        total[b] = -inputs[:length, b].max(-1).sum() if length else 0
        kept = [v for t, v in enumerate(best) if not (merge_repeated and t and v == best[t - 1])]
        rows.append([v for v in kept if v != classes - 1])
    places = [(b, i) for b, row in enumerate(rows) for i in range(len(row))]
    values = np.array([v for row in rows for v in row], np.int64)
    shape = np.array([batch, max(map(len, rows), default=0)], np.int64)
    return [np.array(places, np.int64).reshape(-1, 2), values, shape, total]


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
