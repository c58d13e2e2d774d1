"""Losses of embeddings that bring alike examples together: ``tf.contrib.losses.metric_learning``.

Rows of ``embeddings`` are examples; two are alike if their labels are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph.scopes import name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    diagonals,
    exponentials,
    matrices,
    padding,
    permuting,
    powers,
    printing,
    reductions,
    softmax,
    sparse_arithmetic,
    sparse_reductions,
)
from retrograd.ops.repeating import tile


def pairwise_distance(feature: Any, squared: bool = False) -> Tensor:
    """``y[i, j] = ||x[i] - x[j]||``, or its square; 0 on the diagonal, with a gradient of 0 where it is 0."""
    squares = arithmetic.add(
        reductions.reduce_sum(powers.square(feature), axis=[1], keepdims=True),
        reductions.reduce_sum(powers.square(permuting.transpose(feature)), axis=[0], keepdims=True),
    ) - 2.0 * matrices.matmul(feature, permuting.transpose(feature))
    squares = arithmetic.maximum(squares, 0.0)
    is_zero = comparison.less_equal(squares, 0.0)
    distances = squares if squared else powers.sqrt(squares + casts.cast(is_zero, "float32") * 1e-16)
    distances = arithmetic.multiply(distances, casts.cast(comparison.logical_not(is_zero), "float32"))
    count = arrays.shape(feature)[0]
    off_diagonal = constants.ones_like(distances) - diagonals.diag(constants.ones([count]))
    return arithmetic.multiply(distances, off_diagonal)


def contrastive_loss(labels: Any, embeddings_anchor: Any, embeddings_positive: Any, margin: float = 1.0) -> Tensor:
    """``mean(l * d ** 2 + (1 - l) * max(margin - d, 0) ** 2)``, d the distance of a pair, l 1 for a pair of one kind.

    Source: Hadsell, Chopra, LeCun, 2006.
    """
    distances = powers.sqrt(
        reductions.reduce_sum(arithmetic.squared_difference(embeddings_anchor, embeddings_positive), 1)
    )
    return reductions.reduce_mean(
        casts.cast(labels, distances.dtype) * powers.square(distances)
        + (1.0 - casts.cast(labels, distances.dtype)) * powers.square(arithmetic.maximum(margin - distances, 0.0)),
        name="contrastive_loss",
    )


def masked_maximum(data: Any, mask: Any, dim: int = 1) -> Tensor:
    """The largest along ``dim`` of what the mask holds; the smallest of all where it holds none."""
    least = reductions.reduce_min(data, dim, keepdims=True)
    return reductions.reduce_max(arithmetic.multiply(data - least, mask), dim, keepdims=True) + least


def masked_minimum(data: Any, mask: Any, dim: int = 1) -> Tensor:
    """The smallest along ``dim`` of what the mask holds; the largest of all where it holds none."""
    most = reductions.reduce_max(data, dim, keepdims=True)
    return reductions.reduce_min(arithmetic.multiply(data - most, mask), dim, keepdims=True) + most


def _column(labels: Any) -> Tensor:
    shape = arrays.shape(labels)
    assert shape.shape == 1
    return arrays.reshape(labels, [shape[0], 1])


def triplet_semihard_loss(labels: Any, embeddings: Any, margin: float = 1.0) -> Tensor:
    """``max(d(a, p) ** 2 - d(a, n) ** 2 + margin, 0)``, the mean over the pairs a, p that are alike.

    The negative n is the nearest that is farther than p; the farthest of all if none is.

    Source: Schroff, Kalenichenko, Philbin, 2015, arXiv:1503.03832.
    """
    labels = _column(labels)
    distances = pairwise_distance(embeddings, squared=True)
    alike = comparison.equal(labels, permuting.transpose(labels))
    unlike = comparison.logical_not(alike)
    n = arrays.size(labels)
    repeated = tile(distances, [n, 1])
    farther = comparison.logical_and(
        tile(unlike, [n, 1]),
        comparison.greater(repeated, arrays.reshape(permuting.transpose(distances), [-1, 1])),
    )
    any_farther = arrays.reshape(
        comparison.greater(reductions.reduce_sum(casts.cast(farther, dtype="float32"), 1, keepdims=True), 0.0), [n, n]
    )
    any_farther = permuting.transpose(any_farther)
    unlike = casts.cast(unlike, dtype="float32")
    farther = casts.cast(farther, dtype="float32")
    outside = permuting.transpose(arrays.reshape(masked_minimum(repeated, farther), [n, n]))
    inside = tile(masked_maximum(distances, unlike), [1, n])
    negatives = comparison.where(any_farther, outside, inside)
    losses = arithmetic.add(margin, distances - negatives)
    pairs = casts.cast(alike, dtype="float32") - diagonals.diag(constants.ones([n]))
    count = reductions.reduce_sum(pairs)
    total = reductions.reduce_sum(arithmetic.maximum(arithmetic.multiply(losses, pairs), 0.0))
    return arithmetic.truediv(total, count, name="triplet_semihard_loss")


def _weight_and_similarity(anchor: Any, positive: Any, reg_lambda: float) -> tuple[Tensor, Tensor]:
    of_anchor = reductions.reduce_mean(reductions.reduce_sum(powers.square(anchor), 1))
    of_positive = reductions.reduce_mean(reductions.reduce_sum(powers.square(positive), 1))
    weight = arithmetic.multiply(0.25 * reg_lambda, of_anchor + of_positive, name="l2loss")
    return weight, matrices.matmul(anchor, positive, transpose_a=False, transpose_b=True)


def _npairs(targets: Tensor, similarity: Tensor, weight: Tensor, print_losses: bool) -> Tensor:
    targets /= reductions.reduce_sum(targets, 1, keepdims=True)
    entropy = softmax.softmax_cross_entropy_with_logits(logits=similarity, labels=targets)
    entropy = reductions.reduce_mean(entropy, name="xentropy")
    if print_losses:
        entropy = printing.Print(entropy, ["cross entropy:", entropy, "l2loss:", weight])
    return weight + entropy


def npairs_loss(
    labels: Any, embeddings_anchor: Any, embeddings_positive: Any, reg_lambda: float = 0.002, print_losses: bool = False
) -> Tensor:
    """The cross entropy of ``softmax(anchor @ positive.T)`` and of which pairs are alike, and a weight on lengths.

    Source: Sohn, 2016.
    """
    weight, similarity = _weight_and_similarity(embeddings_anchor, embeddings_positive, reg_lambda)
    labels = _column(labels)
    targets = casts.cast(comparison.equal(labels, permuting.transpose(labels)), "float32")
    return _npairs(targets, similarity, weight, print_losses)


def _labels_in_common(sparse_labels: Sequence[SparseTensor]) -> Tensor:
    """How many labels each pair of examples has in common."""
    n = len(sparse_labels)
    counts = constants.zeros([n, n])
    for i in range(n):
        for j in range(n):
            both = sparse_arithmetic.sparse_minimum(sparse_labels[i], sparse_labels[j])
            count = casts.cast(sparse_reductions.sparse_reduce_sum(both), "float32")
            count = arrays.expand_dims(arrays.expand_dims(count, 0), 1)
            counts += padding.pad(count, [[i, n - i - 1], [j, n - j - 1]], "CONSTANT")
    return counts


def npairs_loss_multilabel(
    sparse_labels: Sequence[Any],
    embeddings_anchor: Any,
    embeddings_positive: Any,
    reg_lambda: float = 0.002,
    print_losses: bool = False,
) -> Tensor:
    """``npairs_loss`` of examples with several labels: the more they have in common, the more they are alike.

    Raises:
      TypeError: labels are not sparse tensors.
    """
    if not all(isinstance(labels, SparseTensor) for labels in sparse_labels):
        raise TypeError(f"sparse_labels must be a list of SparseTensors, but got {sparse_labels}")
    with name_scope("NpairsLossMultiLabel"):
        weight, similarity = _weight_and_similarity(embeddings_anchor, embeddings_positive, reg_lambda)
        targets = casts.cast(_labels_in_common(sparse_labels), "float32")
        return _npairs(targets, similarity, weight, print_losses)


def lifted_struct_loss(labels: Any, embeddings: Any, margin: float = 1.0) -> Tensor:
    """``max(log(sum exp(margin - d(i, k)) + sum exp(margin - d(j, k))) + d(i, j), 0) ** 2``, half the mean over pairs.

    The pairs i, j are alike; the sums go over the k that are unlike i, and unlike j.

    Source: Song, Xiang, Jegelka, Savarese, 2016, arXiv:1511.06452.
    """
    labels = _column(labels)
    distances = pairwise_distance(embeddings)
    alike = comparison.equal(labels, permuting.transpose(labels))
    unlike = comparison.logical_not(alike)
    n = arrays.size(labels)
    closeness = margin - distances
    mask = casts.cast(unlike, dtype="float32")
    least = reductions.reduce_min(closeness, 1, keepdims=True)
    most = reductions.reduce_max(arithmetic.multiply(closeness - least, mask), 1, keepdims=True) + least
    largest = arithmetic.maximum(most, permuting.transpose(most))
    repeated, masks = tile(closeness, [n, 1]), tile(mask, [n, 1])
    offsets = arrays.reshape(permuting.transpose(largest), [-1, 1])
    sums = arrays.reshape(
        reductions.reduce_sum(
            arithmetic.multiply(exponentials.exp(repeated - offsets), masks), 1, keepdims=True
        ),
        [n, n],
    )  # fmt: skip
    losses = largest + exponentials.log(sums + permuting.transpose(sums))
    losses += distances
    pairs = casts.cast(alike, dtype="float32") - diagonals.diag(constants.ones([n]))
    count = reductions.reduce_sum(pairs) / 2.0
    total = reductions.reduce_sum(powers.square(arithmetic.maximum(arithmetic.multiply(losses, pairs), 0.0)))
    return arithmetic.truediv(0.25 * total, count, name="liftedstruct_loss")
