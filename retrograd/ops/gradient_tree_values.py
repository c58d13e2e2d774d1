"""``tf.contrib.boosted_trees``: what a node is worth, from the gradients g and Hessians H of its examples.

Its value is w = -(H + l2 I)^-1 g, and what it gains is -g w.  Of one logit g is drawn towards 0 by l1 first.  Source:
TensorFlow 1.15.5, ``contrib/boosted_trees``: which nodes are worth nothing, the equation where H has no inverse.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

TREE_PER_CLASS, FULL_HESSIAN, DIAGONAL_HESSIAN = 1, 2, 3
_NOTHING = np.float32(1e-6)


class Penalties(NamedTuple):
    """How the values of nodes are held down, and which nodes have too few examples."""

    l1: Any
    l2: Any
    tree_complexity: Any
    min_node_weight: Any
    strategy: int


class Worth(NamedTuple):
    """The values of some nodes, a row for each, what they gain, and which have a value at all."""

    values: Any
    gains: Any
    are_there: Any


def _length(x: Any) -> Any:
    """The sum of squares of each row, in double precision."""
    flat = x.reshape(len(x), -1)
    return np.sum((flat * flat).astype(np.float64), axis=1)


def is_nothing(g: Any, h: Any) -> Any:
    """Whether neither is longer than 1e-6."""
    least = np.float64(_NOTHING * _NOTHING)
    return (_length(g) <= least) & (_length(h) <= least)


def worth(g: Any, h: Any, penalties: Penalties) -> Worth:
    """The worth of nodes with these gradients and Hessians, a row for each."""
    if penalties.strategy == TREE_PER_CLASS:
        return _worth_of_one(g, h, penalties)
    is_none = is_nothing(g, h) | (np.sqrt(_length(h)).astype(np.float32) <= penalties.min_node_weight)
    width = g.shape[1]
    if h.ndim == 2:
        h = h + penalties.l2
        is_singular = (h == 0).any(axis=1)
        w = -(np.float32(1) / np.where(is_singular[:, None], np.float32(1), h)) * g
        for row in np.flatnonzero(is_singular & ~is_none):
            w[row] = -_solution(np.diag(h[row]), g[row])
    else:
        h = h + penalties.l2 * np.eye(width, dtype=np.float32)
        w = np.zeros_like(g)
        for row in np.flatnonzero(~is_none):
            w[row] = -_solution(h[row].T, g[row])
    w = np.where(is_none[:, None], np.float32(0), w)
    return Worth(w, np.where(is_none, np.float32(0), np.sum(-g * w, axis=1)), ~is_none)


def _worth_of_one(g: Any, h: Any, penalties: Penalties) -> Worth:
    is_none = is_nothing(g, h)
    g, h, l1 = g.reshape(len(g), -1)[:, 0], h.reshape(len(h), -1)[:, 0], penalties.l1
    is_none = is_none | (h <= penalties.min_node_weight)
    if l1 > 0:
        is_none = is_none | (np.abs(g) <= l1)
        g = np.where(g > l1, g - l1, g + l1)
    total = np.where(is_none, np.float32(1), h + penalties.l2)
    with np.errstate(divide="ignore", invalid="ignore"):
        w = np.where(is_none, np.float32(0), -g / total)
        gains = np.where(is_none, np.float32(0), w * -g)
    return Worth(w[:, None], gains, np.ones(len(g), bool))


def _solution(a: Any, b: Any) -> Any:
    """x with a x = b by Householder's reflections, the longest column first; 0 where nothing is left of a column."""
    a, x, count = a.astype(np.float32).copy(), b.astype(np.float32).copy(), len(b)
    order, rank = np.arange(count), count
    lengths = np.sum(a * a, axis=0)
    least = np.max(lengths) * np.finfo(np.float32).eps ** 2 / count
    for k in range(count):
        lengths = np.sum(a[k:, k:] ** 2, axis=0)
        pivot = k + int(np.argmax(lengths))
        if rank == count and lengths[pivot - k] < least * (count - k):
            rank = k
        a[:, [k, pivot]], order[[k, pivot]] = a[:, [pivot, k]], order[[pivot, k]]
        v = a[k:, k].copy()
        v[0] += np.copysign(np.linalg.norm(v), v[0])
        square = v @ v
        if square > 0:
            a[k:] -= np.outer(v, (2 / square) * (v @ a[k:]))
            x[k:] -= v * (2 / square * (v @ x[k:]))
    found = np.zeros(count, np.float32)
    if rank:
        found[order[:rank]] = np.linalg.solve(np.triu(a[:rank, :rank]), x[:rank])
    return found
