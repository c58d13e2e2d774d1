"""Losses over many classes that look at a sample of them."""

from __future__ import annotations

from typing import Any

from retrograd.graph.dtypes import int32, int64
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn import cross_entropy, embeddings
from retrograd.ops import (
    arithmetic,
    arrays,
    candidates,
    casts,
    constants,
    exponentials,
    joining,
    matrices,
    slicing,
    softmax,
    sparse,
)


def sum_rows(x: Tensor) -> Tensor:
    """The sum of each row, as a product with a column of ones."""
    width = arrays.shape(x)[1]
    ones = constants.ones(joining.stack([width, 1]), x.dtype)
    return arrays.reshape(matrices.matmul(x, ones), [-1])


def compute_sampled_logits(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    subtract_log_q: bool = True,
    remove_accidental_hits: bool = False,
    partition_strategy: str = "mod",
    name: str | None = None,
    seed: int | None = None,
) -> tuple[Tensor, Tensor]:
    """The logits of the true classes and of a sample, side by side, and the labels that belong to them.

    With ``subtract_log_q`` each logit is less the logarithm of how often its class is expected in the sample.
    """
    listed = weights if isinstance(weights, list) else [weights]
    with name_scope(name, "compute_sampled_logits", [*listed, biases, inputs, labels]):
        if labels.dtype != int64:
            labels = casts.cast(labels, int64)
        flat = arrays.reshape(labels, [-1])
        if sampled_values is None:
            sampled_values = candidates.log_uniform_candidate_sampler(
                true_classes=labels, num_true=num_true, num_sampled=num_sampled, unique=True, range_max=num_classes,
                seed=seed,
            )  # fmt: skip
        sampled, expected, expected_of_sample = (arrays.stop_gradient(s) for s in sampled_values)
        sampled = casts.cast(sampled, int64)
        ids = joining.concat([flat, sampled], 0)
        rows = embeddings.embedding_lookup(listed, ids, partition_strategy=partition_strategy)
        true_rows = slicing.slice_(rows, [0, 0], joining.stack([arrays.shape(flat)[0], -1]))
        sampled_rows = slicing.slice_(rows, joining.stack([arrays.shape(flat)[0], 0]), [-1, -1])
        sampled_logits = matrices.matmul(inputs, sampled_rows, transpose_b=True)
        offsets = embeddings.embedding_lookup(biases, ids, partition_strategy=partition_strategy)
        true_offsets = slicing.slice_(offsets, [0], arrays.shape(flat))
        sampled_offsets = slicing.slice_(offsets, arrays.shape(flat), [-1])
        width = arrays.shape(true_rows)[1:2]
        by_example = joining.concat([[-1, num_true], width], 0)
        products = arithmetic.multiply(arrays.expand_dims(inputs, 1), arrays.reshape(true_rows, by_example))
        matrix = arrays.reshape(products, joining.concat([[-1], width], 0))
        true_logits = arrays.reshape(sum_rows(matrix), [-1, num_true])
        true_offsets = arrays.reshape(true_offsets, [-1, num_true])
        true_logits += true_offsets
        sampled_logits += sampled_offsets
        if remove_accidental_hits:
            sampled_logits += _of_hits(labels, sampled, num_true, num_sampled, sampled_logits.dtype)
        if subtract_log_q:
            true_logits -= exponentials.log(expected)
            sampled_logits -= exponentials.log(expected_of_sample)
        logits = joining.concat([true_logits, sampled_logits], 1)
        true_labels = constants.ones_like(true_logits) / num_true
        return logits, joining.concat([true_labels, constants.zeros_like(sampled_logits)], 1)


def _of_hits(labels: Tensor, sampled: Tensor, num_true: int, num_sampled: int, dtype: Any) -> Tensor:
    """What makes the logits of true classes in the sample as low as can be."""
    hits = candidates.compute_accidental_hits(labels, sampled, num_true=num_true)
    rows = arrays.reshape(hits.indices, [-1, 1])
    places = arrays.reshape(casts.cast(hits.ids, int32), [-1, 1])
    indices = joining.concat([rows, places], 1, "sparse_indices")
    shape = joining.concat([arrays.shape(labels)[:1], arrays.expand_dims(num_sampled, 0)], 0)
    weights = hits.weights if hits.weights.dtype == dtype else casts.cast(hits.weights, dtype)
    return sparse.sparse_to_dense(indices, shape, weights, default_value=0.0, validate_indices=False)


def nce_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = False,
    partition_strategy: str = "mod",
    name: str | None = "nce_loss",
) -> Tensor:
    """Noise-contrastive estimation: logistic losses of the true classes against sampled ones.

    ``weights`` is (classes, width) or a list of its parts, ``labels`` (batch, num_true), ``inputs`` (batch, width).
    """
    logits, targets = compute_sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, True,
        remove_accidental_hits, partition_strategy, name,
    )  # fmt: skip
    losses = cross_entropy.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name="sampled_losses")
    return sum_rows(losses)


def nce_loss_v2(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = False,
    name: str | None = "nce_loss",
) -> Tensor:
    """``nce_loss`` of a table whose parts are blocks."""
    return nce_loss(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits,
        "div", name,
    )  # fmt: skip


def sampled_softmax_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    partition_strategy: str = "mod",
    name: str | None = "sampled_softmax_loss",
    seed: int | None = None,
) -> Tensor:
    """The softmax cross entropy over the true classes and a sample of the others: for training alone."""
    logits, targets = compute_sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, True,
        remove_accidental_hits, partition_strategy, name, seed,
    )  # fmt: skip
    targets = arrays.stop_gradient(targets, name="labels_stop_gradient")
    return softmax.softmax_cross_entropy_with_logits_v2(labels=targets, logits=logits)


def sampled_softmax_loss_v2(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    seed: int | None = None,
    name: str | None = "sampled_softmax_loss",
) -> Tensor:
    """``sampled_softmax_loss`` of a table whose parts are blocks."""
    return sampled_softmax_loss(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits,
        "div", name, seed,
    )  # fmt: skip
