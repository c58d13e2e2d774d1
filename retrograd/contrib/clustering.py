"""Clusters of points around their means: the graph of k-means, Lloyd's algorithm on whole data or mini-batches.

A step takes each center to the mean of the points nearest to it.  On a mini-batch a center x that has had n points and
gets the points d_1 ... d_k moves by (sum d_i - k x) / (n + k).  Source: TensorFlow 1.15.5,
``contrib/factorization/python/ops/clustering_ops.py``: order of ops, names, numbers; Sculley, "Web-scale k-means
clustering", 2010.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.flow.loops import while_loop
from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with, control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.nn.embeddings import embedding_lookup
from retrograd.ops import arithmetic, arrays, casts, checks, clustering, comparison, constants, control, joining, random
from retrograd.ops import state as state_ops
from retrograd.ops.conditions import cond
from retrograd.ops.indexing import gather
from retrograd.ops.matrices import matmul
from retrograd.ops.norms import l2_normalize
from retrograd.ops.permuting import transpose
from retrograd.ops.powers import reciprocal, square
from retrograd.ops.reductions import reduce_sum
from retrograd.ops.scatters import scatter_add
from retrograd.ops.segments import unsorted_segment_sum
from retrograd.ops.sums import add_n
from retrograd.ops.uniqueness import unique
from retrograd.state.variables import Variable as variable

SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE = "squared_euclidean", "cosine"
RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT = "random", "kmeans_plus_plus", "kmc2"
CLUSTERS_VAR_NAME = "clusters"


def check_choices(initial_clusters: Any, distance_metric: str, known: tuple[str, ...]) -> None:
    """The name of a way to begin is one of ``known``, and there is such a distance.

    Raises:
      ValueError: they are not.
    """
    if isinstance(initial_clusters, str) and initial_clusters not in known:
        raise ValueError(f"Unsupported initialization algorithm '{initial_clusters}'")
    if distance_metric not in (SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE):
        raise ValueError(f"Unsupported distance metric '{distance_metric}'")


class KMeans:
    """The graph of k-means over ``inputs``.

    Args:
      inputs: points, a matrix or a list of them.
      num_clusters: how many centers there are; where the first ones are given, as many as these.
      initial_clusters: "random", "kmeans_plus_plus" or "kmc2", which choose points of the inputs; the centers
        themselves; or ``f(inputs, k)``, which gives up to k of them.
      distance_metric: "squared_euclidean" or "cosine".
      use_mini_batch: whether a step sees only some of the points.
      mini_batch_steps_per_iteration: after how many steps the centers in use become those that steps have moved.
      random_seed: of the draws of the first centers.
      kmeans_plus_plus_num_retries: further draws of which the best is taken; below 0, about log k.
      kmc2_chain_length: among how many points k-MC2 looks for one center.

    Raises:
      ValueError: there is no such way to begin, or no such distance.
    """

    def __init__(
        self,
        inputs: Any,
        num_clusters: Any,
        initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE,
        use_mini_batch: bool = False,
        mini_batch_steps_per_iteration: int = 1,
        random_seed: Any = 0,
        kmeans_plus_plus_num_retries: int = 2,
        kmc2_chain_length: int = 200,
    ) -> None:
        check_choices(initial_clusters, distance_metric, (RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT))
        self._inputs = inputs if isinstance(inputs, list) else [inputs]
        self._num_clusters, self._initial_clusters = num_clusters, initial_clusters
        self._is_cosine = distance_metric == COSINE_DISTANCE
        self._use_mini_batch = use_mini_batch
        self._steps = int(mini_batch_steps_per_iteration)
        self._random_seed, self._retries = self._seed_of(random_seed), kmeans_plus_plus_num_retries
        self._chain_length = kmc2_chain_length

    def _seed_of(self, random_seed: Any) -> Any:
        return random_seed

    def _nothing(self) -> Tensor:
        return constants.constant([], dtype=dtypes.float32)

    @property
    def _has_copy(self) -> bool:
        """Whether steps move other centers than those in use."""
        return self._use_mini_batch and self._steps > 1

    @property
    def _keeps_unit_length(self) -> bool:
        return self._is_cosine and (not self._use_mini_batch or self._steps > 1)

    def training_graph(self) -> tuple[Any, Any, Any, Any, Any, Any]:
        """(distances to all centers, nearest centers, distances to these, whether there are centers, the op that
        chooses the first ones, the op that takes one step); the first three are tuples, one value for each input."""
        first = self._initial_clusters
        if isinstance(first, str) or callable(first):
            count = as_tensor(self._num_clusters)
        else:
            first = as_tensor(first)
            count = arrays.shape(first)[0]
        inputs = self._inputs
        centers, is_initialized, counts, moved, steps_left = self._variables(count)
        init_op = _FirstCenters(self, count, first, centers, moved, is_initialized).op()
        used = centers
        if self._is_cosine:
            inputs = [_beside(x, lambda x=x: l2_normalize(x, dim=1)) for x in inputs]  # type: ignore[misc]
            if not self._keeps_unit_length:
                used = l2_normalize(centers, dim=1)
        all_scores, scores, nearest = self._distances(inputs, used)
        if self._use_mini_batch:
            with control_dependencies([self._exchanged(steps_left, centers, moved, counts)]):
                training_op: Any = self._batch_step(inputs, nearest, moved, counts)
        else:
            training_op = self._whole_step(inputs, count, nearest, centers)
        return all_scores, nearest, scores, is_initialized, init_op, training_op

    def _variables(self, count: Tensor) -> tuple[Any, Any, Any, Any, Any]:
        nothing = self._nothing()
        centers = variable(nothing, name=CLUSTERS_VAR_NAME, validate_shape=False)
        is_initialized = variable(False, dtype=dtypes.bool, name="initialized")
        if self._has_copy:
            moved = variable(nothing, name="clusters_updated", validate_shape=False)
            steps_left = variable(self._steps, dtype=dtypes.int64, name="update_in_steps")
            return centers, is_initialized, variable(constants.zeros([count], dtypes.int64)), moved, steps_left
        counts = variable(constants.ones([count], dtypes.int64)) if self._use_mini_batch else None
        return centers, is_initialized, counts, centers, None

    def _distances(self, inputs: list[Any], centers: Any) -> tuple[Any, Any, Any]:
        """For each input: the distances to all centers, the least of them, and whose it is."""
        all_scores = [_beside(x, lambda x=x: self._to_all(x, centers)) for x in inputs]  # type: ignore[misc]
        if self._is_cosine and not self._keeps_unit_length:
            centers = _beside(centers, lambda: l2_normalize(centers, dim=1))
        scores, nearest = [], []
        for x in inputs:
            with colocate_with(x, ignore_existing=True):
                index, distance = clustering.nearest_neighbors(x, centers, 1)
                if self._is_cosine:
                    distance = distance * 0.5  # of unit vectors: |x - c|^2 = 2 (1 - x c)
                scores.append(arrays.squeeze(distance, [-1]))
                nearest.append(arrays.squeeze(index, [-1]))
        return tuple(all_scores), tuple(scores), tuple(nearest)

    def _to_all(self, x: Any, centers: Any) -> Any:
        if self._is_cosine:
            return 1 - matmul(x, centers, transpose_b=True)
        mixed = reduce_sum(square(x), 1, keepdims=True) - 2 * matmul(x, centers, transpose_b=True)
        return mixed + transpose(reduce_sum(square(centers), 1, keepdims=True))

    def _exchanged(self, steps_left: Any, centers: Any, moved: Any, counts: Any) -> Any:
        """Every so many steps, the centers in use become those that steps have moved."""
        if not self._has_copy:
            return control.no_op()

        def exchange() -> Tensor:
            with control_dependencies([state_ops.assign(steps_left, self._steps - 1)]):
                new = _beside(moved, lambda: l2_normalize(moved, dim=1) if self._is_cosine else moved)
                with (
                    colocate_with(centers, ignore_existing=True),
                    control_dependencies([state_ops.assign(centers, new)]),
                    colocate_with(None, ignore_existing=True),
                    control_dependencies([state_ops.assign(counts, constants.zeros_like(counts))]),
                ):
                    return arrays.identity(steps_left)

        with colocate_with(steps_left, ignore_existing=True):
            return cond(steps_left <= 0, exchange, lambda: state_ops.assign_sub(steps_left, 1))

    def _batch_step(self, inputs: list[Any], nearest: tuple[Any, ...], centers: Any, counts: Any) -> Operation:
        """x += (sum d_i - k x) / (n + k), n += k, for the centers x that have points in the batch."""
        updates = []
        for x, index in zip(inputs, nearest, strict=True):
            with colocate_with(x, ignore_existing=True):
                ids, places = unique(arrays.reshape(index, [-1]))
                size = arrays.size(ids)
                n = _beside(counts, lambda ids=ids: gather(counts, ids))  # type: ignore[misc]
                old = _beside(centers, lambda ids=ids: gather(centers, ids))  # type: ignore[misc]
                k = unsorted_segment_sum(constants.ones_like(places, dtype=counts.dtype), places, size)
                change = unsorted_segment_sum(x, places, size)
                rows = _column(size, x)
                change = change - casts.cast(arrays.reshape(k, rows), x.dtype) * old
                rate = arrays.reshape(reciprocal(casts.cast(n + k, x.dtype)), rows)
                change = change * rate
            updates += [scatter_add(counts, ids, k), scatter_add(centers, ids, change)]
        return control.group(*updates)

    def _whole_step(self, inputs: list[Any], count: Tensor, nearest: tuple[Any, ...], centers: Any) -> Tensor:
        """Each center becomes the mean of its points."""
        sums, counts = [], []
        epsilon = constants.constant(1e-6, dtype=inputs[0].dtype)
        for x, index in zip(inputs, nearest, strict=True):
            with colocate_with(x, ignore_existing=True):
                sums.append(unsorted_segment_sum(x, index, count))
                ones = constants.ones(arrays.reshape(arrays.shape(x)[0], [-1]))
                counts.append(unsorted_segment_sum(arrays.reshape(ones, [-1, 1]), index, count))
        with colocate_with(centers, ignore_existing=True):
            new = add_n(sums) / (casts.cast(add_n(counts), sums[0].dtype) + epsilon)
            if self._keeps_unit_length:
                new = l2_normalize(new, dim=1)
        return state_ops.assign(centers, new)


class SeededKMeans(KMeans):
    """The same, of the graph's seed where none is given: ``python/ops/clustering_ops.py``."""

    def _seed_of(self, random_seed: Any) -> Any:
        return random.get_seed(random_seed)[0]

    def _nothing(self) -> Tensor:
        return constants.placeholder_with_default(constants.constant([]), shape=None)


def _column(size: Tensor, x: Tensor) -> Tensor:
    """The shape (size, 1, ..., 1), of the rank of ``x``."""
    first = arrays.reshape(size, [1])
    return joining.concat([first, constants.ones(arrays.reshape(arrays.rank(x) - 1, [1]), dtype=dtypes.int32)], 0)


def _beside(other: Any, build: Callable[[], Any]) -> Any:
    with colocate_with(other, ignore_existing=True):
        return build()


class _FirstCenters:
    """The op that chooses first centers: as many as a batch has room for, until there are enough."""

    def __init__(self, graph: KMeans, count: Tensor, first: Any, centers: Any, moved: Any, is_initialized: Any) -> None:
        self._graph, self._count, self._first = graph, count, first
        self._inputs, self._is_cosine = graph._inputs, graph._is_cosine
        self._centers, self._moved, self._is_initialized = centers, moved, is_initialized
        self._selected = arrays.shape(centers)[0]
        self._remaining = count - self._selected
        self._data = add_n([arrays.shape(x)[0] for x in self._inputs])

    def op(self) -> Any:
        """Nothing once there are all, only a check."""
        return cond(
            comparison.equal(self._remaining, 0),
            lambda: checks.assert_equal(self._is_initialized, True),
            self._choose,
        )

    def _choose(self) -> Any:
        with control_dependencies([checks.assert_positive(self._remaining)]):
            left = self._by_chains() if self._is("kmc2") else self._add(self._new_centers())
            return cond(comparison.equal(left, 0), lambda: state_ops.assign(self._is_initialized, True), control.no_op)

    def _is(self, name: str) -> bool:
        return isinstance(self._first, str) and self._first == name

    def _new_centers(self) -> Any:
        if self._is(RANDOM_INIT):
            return cond(self._data <= self._remaining, lambda: joining.concat(self._inputs, 0), self._random)
        if isinstance(self._first, str):
            with control_dependencies([checks.assert_greater_equal(self._data, self._remaining)]):
                return self._plus_plus()
        if callable(self._first):
            return self._first(self._inputs, self._remaining)
        with control_dependencies([checks.assert_equal(self._remaining, arrays.shape(self._first)[0])]):
            return self._first

    def _random(self) -> Tensor:
        indices = random.random_uniform(
            arrays.reshape(self._remaining, [-1]), minval=0, maxval=casts.cast(self._data, dtypes.int64),
            seed=self._graph._random_seed, dtype=dtypes.int64,
        )  # fmt: skip
        return embedding_lookup(self._inputs, indices, partition_strategy="div")

    def _plus_plus(self) -> Tensor:
        x = self._inputs[0]
        if self._is_cosine:
            x = l2_normalize(x, dim=1)
        count = casts.cast(self._remaining, dtypes.int64)
        return clustering.kmeans_plus_plus_initialization(x, count, self._graph._random_seed, self._graph._retries)

    def _add(self, new: Any) -> Tensor:
        """Put new centers behind those that there are; how many are missing then."""
        if self._is_cosine:
            new = l2_normalize(new, dim=1)
        every = cond(comparison.equal(self._selected, 0), lambda: new, lambda: joining.concat([self._centers, new], 0))
        return self._count - arrays.shape(self._stored(every))[0]

    def _stored(self, every: Any) -> Any:
        stored = state_ops.assign(self._centers, every, validate_shape=False)
        if self._moved is not self._centers:
            stored = state_ops.assign(self._moved, stored, validate_shape=False)
        return stored

    def _by_chains(self) -> Any:
        """One center from each part of the points, by k-MC2."""
        points, length = self._inputs[0], self._graph._chain_length
        most = casts.cast(arrays.shape(points)[0] / length, dtype=dtypes.int32)
        wanted = arithmetic.maximum(arithmetic.minimum(self._remaining, most), 1)

        def unit(center: Any) -> Any:
            return l2_normalize(center, dim=1) if self._is_cosine else center

        def one_more(i: Any, _: Any) -> tuple[Any, Any]:
            def by_chain() -> Any:
                start = i * length
                part = points[start : start + length]
                _, distances = clustering.nearest_neighbors(part, self._centers, 1)
                index = clustering.kmc2_chain_initialization(arrays.squeeze(distances), self._graph._random_seed)
                center = arrays.reshape(part[index], [1, -1])
                return joining.concat([self._centers, unit(center)], 0)

            new = cond(comparison.equal(self._selected, 0), lambda: unit(arrays.reshape(points[0], [1, -1])), by_chain)
            stored = self._stored(new)
            return i + 1, self._count - arrays.shape(stored)[0]

        return while_loop(lambda i, _: comparison.less(i, wanted), one_more, [0, 0])[1]
