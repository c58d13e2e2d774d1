"""Ops of clustering: the nearest centers of points, and points chosen to be the first centers.

k-means++ draws each next center with a probability proportional to its squared distance from the centers so far;
k-MC2 approximates that by a Markov chain.  Sources: Arthur and Vassilvitskii, "k-means++: the advantages of careful
seeding", 2007; Bachem et al., "Approximate k-means++ in sublinear time", 2016; numbers and draws: TensorFlow 1.15.5.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.tensor import Tensor
from retrograd.ops import philox

_CHUNK = 1024  # points whose distances to all centers are worked out at once


def squared_distances(points: Any, centers: Any) -> Any:
    """d_ij = 2 (|x_i|^2 / 2 + |c_j|^2 / 2 - x_i c_j)."""
    halves: Any = np.float32(0.5) * np.sum(points * points, axis=1, keepdims=True, dtype=np.float32)
    other = np.float32(0.5) * np.sum(centers * centers, axis=1, dtype=np.float32)
    return np.float32(2) * (halves + (other - points @ centers.T))


# -- the nearest centers -----------------------------------------------------------------------


def _nearest(xp: Any, memory: Any, points: Any, centers: Any, k: Any) -> list[Any]:
    """The k nearest centers of each point, by squared distance, nearest first; of equal ones the first."""
    if np.ndim(points) != 2 or np.ndim(centers) != 2:
        raise InvalidArgumentError(
            None, None, f"points and centers must be matrices, not of shapes {np.shape(points)} and {np.shape(centers)}"
        )
    if points.shape[1] != centers.shape[1]:
        raise InvalidArgumentError(None, None, "Expected points to have the same dimensions as centers.")
    wanted = min(int(k), len(centers))
    if wanted <= 0:
        raise InvalidArgumentError(None, None, "There must be at least one center and one neighbor.")
    indices = np.empty((len(points), wanted), np.int64)
    distances = np.empty((len(points), wanted), np.float32)
    for begin in range(0, len(points), _CHUNK):
        rows = slice(begin, begin + _CHUNK)
        d = squared_distances(points[rows], centers)
        order = np.argmin(d, axis=1)[:, None] if wanted == 1 else np.argsort(d, axis=1, kind="stable")[:, :wanted]
        indices[rows], distances[rows] = order, np.take_along_axis(d, order, axis=1)
    return [indices, distances]


NEAREST = define(
    "NearestNeighbors",
    "points: float32, centers: float32, k: int64",
    "nearest_center_indices: int64, nearest_center_distances: float32",
    shape=lambda points, centers, k: [None, None],
    kernel=_nearest,
    effect=Effect.HOST,
    gradient=not_differentiable,
)


def nearest_neighbors(points: Any, centers: Any, k: Any, name: str | None = None) -> list[Tensor]:
    """The indices of the ``k`` nearest rows of ``centers`` for each row of ``points``, and the squared distances."""
    return apply(NEAREST, points, centers, k, name=name)  # type: ignore[no-any-return]


# -- the first centers -------------------------------------------------------------------------


class _Draws:
    """Numbers of one seed, word by word."""

    def __init__(self, seed: int) -> None:
        self._words = self._from(*philox.seeded_stream(seed, 0))

    def _from(self, key: Any, counter: Any) -> Iterator[int]:
        while True:
            yield from philox.philox_blocks(np, key, counter, 64).ravel().tolist()
            counter = philox.advance(np, counter, 64)

    def unit(self) -> np.float32:
        """From [0, 1), by 23 bits."""
        return np.float32((next(self._words) & 0x7FFFFF) / 2**23)

    def below(self, n: int) -> int:
        """From 0 to n - 1."""
        if n & (n - 1) == 0:
            return self._wide() & (n - 1)
        bound = (2**64 - 1) // n * n
        while (word := self._wide()) >= bound:
            pass
        return word % n

    def _wide(self) -> int:
        return next(self._words) | next(self._words) << 32


def _plus_plus(xp: Any, memory: Any, points: Any, count: Any, seed: Any, retries: Any) -> Any:
    """Each center is the best of some draws: the one that leaves the least sum of distances."""
    count, retries = int(count), int(retries)
    if np.ndim(points) != 2:
        raise InvalidArgumentError(None, None, "Input points should be a matrix.")
    if count <= 0:
        raise InvalidArgumentError(None, None, "Expected num_to_sample > 0.")
    if count > len(points):
        raise InvalidArgumentError(None, None, f"Expected num_to_sample <= {len(points)}. Instead got {count}.")
    retries = retries if retries >= 0 else 2 + int(math.log(count))
    draws = _Draws(int(seed))
    chosen: list[int] = []
    distances = np.full(len(points), np.inf, np.float32)
    while len(chosen) < count:
        sums = np.cumsum(distances, dtype=np.float32)
        best: tuple[Any, int, Any] | None = None
        for _ in range(1 + retries):
            at = _drawn(draws, sums, chosen) if chosen else draws.below(len(points))
            left = np.minimum(distances, squared_distances(points, points[at : at + 1])[:, 0])
            potential = np.sum(left, dtype=np.float32)
            if best is None or potential < best[0]:
                best = potential, at, left
        assert best is not None
        chosen.append(best[1])
        distances = best[2]
    return points[chosen]


def _drawn(draws: _Draws, sums: Any, chosen: list[int]) -> int:
    """A point that is no center yet, with a probability proportional to its distance."""
    while True:
        at = int(np.searchsorted(sums, draws.unit() * sums[-1], side="right"))
        if at < len(sums) and at not in chosen:
            return at
        if at >= len(sums) or not sums[-1] > 0:  # all distances are 0: any other will do
            return next(i for i in range(len(sums)) if i not in chosen)


PLUS_PLUS = define(
    "KmeansPlusPlusInitialization",
    "points: float32, num_to_sample: int64, seed: int64, num_retries_per_sample: int64",
    "samples: float32",
    shape=lambda *_: None,
    kernel=_plus_plus,
    effect=Effect.HOST,
    gradient=not_differentiable,
)


def kmeans_plus_plus_initialization(
    points: Any, num_to_sample: Any, seed: Any, num_retries_per_sample: Any, name: str | None = None
) -> Tensor:
    """``num_to_sample`` rows of ``points`` by k-means++; each is the best of ``1 + num_retries_per_sample`` draws."""
    return apply(PLUS_PLUS, points, num_to_sample, seed, num_retries_per_sample, name=name)  # type: ignore[no-any-return]


def _chain(xp: Any, memory: Any, distances: Any, seed: Any) -> Any:
    """A Markov chain over the points: the next one is taken with probability min(1, d_next / d)."""
    draws = _Draws(int(seed))
    at = 0
    for i in range(1, len(distances)):
        if distances[i] > draws.unit() * distances[at]:
            at = i
    return np.int64(at)


CHAIN = define(
    "KMC2ChainInitialization",
    "distances: float32, seed: int64",
    "index: int64",
    shape=lambda *_: (),
    kernel=_chain,
    effect=Effect.HOST,
    gradient=not_differentiable,
)


def kmc2_chain_initialization(distances: Any, seed: Any, name: str | None = None) -> Tensor:
    """The index of the next center, given the squared distances of points to their nearest centers."""
    return apply(CHAIN, distances, seed, name=name)  # type: ignore[no-any-return]
