"""Clusters as an estimator: ``tf.estimator.experimental.KMeans`` and ``tf.contrib.factorization.KMeansClustering``.

Source: ``tensorflow_estimator`` 1.15.1, ``canned/kmeans.py``, and TensorFlow 1.15.5,
``contrib/factorization/python/ops/kmeans.py``.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.contrib import clustering
from retrograd.estimator.estimator import Estimator
from retrograd.estimator.export_outputs import PredictOutput
from retrograd.estimator.specs import EstimatorSpec
from retrograd.feature_column.models import input_layer
from retrograd.graph import log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import colocate_with, get_collection
from retrograd.io.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from retrograd.nn import summaries
from retrograd.nn.metrics.means import mean
from retrograd.ops import joining
from retrograd.ops.control import with_dependencies
from retrograd.ops.reductions import reduce_sum
from retrograd.ops.state import assign_add
from retrograd.sessions.hooks import SessionRunArgs, SessionRunHook
from retrograd.train.training_util import get_global_step


class LossRelativeChangeHook(SessionRunHook):
    """Stops when |loss - last| / (1 + |last|) is below ``tolerance``."""

    def __init__(self, loss: Any, tolerance: float) -> None:
        self._loss, self._tolerance = loss, tolerance
        self._last: Any = None

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._loss)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        loss = run_values.results
        if self._last and abs(loss - self._last) / (1 + abs(self._last)) < self._tolerance:
            run_context.request_stop()
        self._last = loss


class InitializeClustersHook(SessionRunHook):
    """Runs ``init_op`` until there are all centers; saves them in ``model_dir`` if input for a step is missing then.

    The end of the input takes back what its run has done, so the step of the first checkpoint is the last one too.
    """

    def __init__(self, init_op: Any, is_initialized: Any, is_chief: bool, model_dir: str | None = None) -> None:
        self._init_op, self._is_initialized, self._is_chief = init_op, is_initialized, is_chief
        self._model_dir, self._began_at = model_dir, -1

    def end(self, session: Any) -> None:
        step = int(session.run(get_global_step()))
        savers = get_collection(GraphKeys.SAVERS)
        if self._model_dir and savers and step == self._began_at:
            savers[0].save(session, os.path.join(self._model_dir, "model.ckpt"), global_step=step)

    def after_create_session(self, session: Any, coord: Any) -> None:
        while True:
            try:
                if session.run(self._is_initialized):
                    return
                if self._is_chief:
                    session.run(self._init_op)
                    self._began_at = int(session.run(get_global_step()))
                else:
                    time.sleep(1)
            except RuntimeError as error:
                log.info("%s", error)


def points_of(features: Any, columns: Any = None) -> Any:
    """A matrix of points: of a dictionary its columns, or its values side by side, sorted by key."""
    if not isinstance(features, dict):
        return features
    if columns:
        return input_layer(features, columns)
    keys = sorted(features)
    with colocate_with(as_tensor(features[keys[0]])):
        return joining.concat([features[key] for key in keys], axis=1)


class KMeansClustering(Estimator):
    """Clusters of points; predictions are the nearest cluster and the distances to all.

    Args:
      num_clusters: how many.
      initial_clusters: "random", "kmeans_plus_plus", the centers, or ``f(inputs, k)``.
      distance_metric: "squared_euclidean" or "cosine".
      random_seed: of the draws of the first centers.
      use_mini_batch: whether ``input_fn`` gives batches, not all points at once.
      mini_batch_steps_per_iteration: after how many steps the centers in use become those that steps have moved.
      kmeans_plus_plus_num_retries: further draws of which the best is taken; below 0, about log k.
      relative_tolerance: training stops when the loss changes relatively less.
      feature_columns: what of the features is a point's position; without them, all.

    Raises:
      ValueError: there is no such way to begin, or no such distance.
    """

    SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE = clustering.SQUARED_EUCLIDEAN_DISTANCE, clustering.COSINE_DISTANCE
    RANDOM_INIT, KMEANS_PLUS_PLUS_INIT = clustering.RANDOM_INIT, clustering.KMEANS_PLUS_PLUS_INIT
    SCORE, CLUSTER_INDEX, ALL_DISTANCES = "score", "cluster_index", "all_distances"
    CLUSTER_CENTERS_VAR_NAME = clustering.CLUSTERS_VAR_NAME
    _graph: Callable[..., Any] = clustering.KMeans

    def __init__(
        self, num_clusters: Any, model_dir: Any = None, initial_clusters: Any = clustering.RANDOM_INIT,
        distance_metric: str = clustering.SQUARED_EUCLIDEAN_DISTANCE, random_seed: int | None = 0,
        use_mini_batch: bool = True, mini_batch_steps_per_iteration: int = 1, kmeans_plus_plus_num_retries: int = 2,
        relative_tolerance: float | None = None, config: Any = None, feature_columns: Any = None,
    ) -> None:  # fmt: skip
        clustering.check_choices(
            initial_clusters, distance_metric, (clustering.RANDOM_INIT, clustering.KMEANS_PLUS_PLUS_INIT)
        )
        self._distance_metric = distance_metric

        def model_fn(features: Any, mode: str, config: Any) -> EstimatorSpec:
            graph = self._graph(
                points_of(features, feature_columns), num_clusters, initial_clusters, distance_metric, use_mini_batch,
                mini_batch_steps_per_iteration, random_seed, kmeans_plus_plus_num_retries,
            ).training_graph()  # fmt: skip
            return self._spec(graph, mode, config, relative_tolerance)

        super().__init__(model_fn, model_dir=model_dir, config=config)

    def _spec(self, graph: Any, mode: str, config: Any, tolerance: float | None) -> EstimatorSpec:
        distances, nearest, losses, is_initialized, init_op, training_op = graph
        loss = reduce_sum(losses)
        summaries.scalar("loss/raw", loss)
        training_op = with_dependencies([training_op, assign_add(get_global_step(), 1)], loss)
        first = InitializeClustersHook(init_op, is_initialized, config.is_chief, self.model_dir)
        hooks: list[SessionRunHook] = [first]
        if tolerance is not None:
            hooks.append(LossRelativeChangeHook(loss, tolerance))
        return EstimatorSpec(
            mode,
            predictions={self.ALL_DISTANCES: distances[0], self.CLUSTER_INDEX: nearest[0]},
            loss=loss,
            train_op=training_op,
            eval_metric_ops={self.SCORE: mean(loss)},
            training_hooks=hooks,
            export_outputs={
                self.ALL_DISTANCES: PredictOutput(distances[0]),
                self.CLUSTER_INDEX: PredictOutput(nearest[0]),
                DEFAULT_SERVING_SIGNATURE_DEF_KEY: PredictOutput(nearest[0]),
            },
        )

    def _predicted(self, input_fn: Callable[[], Any], key: str) -> Iterator[Any]:
        for result in self.predict(input_fn=input_fn, predict_keys=[key]):
            yield result[key]

    def predict_cluster_index(self, input_fn: Callable[[], Any]) -> Iterator[Any]:
        """The nearest cluster of each point."""
        return self._predicted(input_fn, self.CLUSTER_INDEX)

    def score(self, input_fn: Callable[[], Any]) -> Any:
        """The sum of the distances of a batch's points to their nearest centers."""
        return self.evaluate(input_fn=input_fn, steps=1)[self.SCORE]

    def transform(self, input_fn: Callable[[], Any]) -> Iterator[Any]:
        """The distances of each point to all centers."""
        return self._predicted(input_fn, self.ALL_DISTANCES)

    def cluster_centers(self) -> Any:
        """The centers in the latest checkpoint."""
        return self.get_variable_value(self.CLUSTER_CENTERS_VAR_NAME)


class KMeans(KMeansClustering):
    """Clusters of points, of the graph's seed where none is given; arguments as of ``KMeansClustering``."""

    _graph = clustering.SeededKMeans

    def __init__(
        self, num_clusters: Any, model_dir: Any = None, initial_clusters: Any = clustering.RANDOM_INIT,
        distance_metric: str = clustering.SQUARED_EUCLIDEAN_DISTANCE, seed: int | None = None,
        use_mini_batch: bool = True, mini_batch_steps_per_iteration: int = 1, kmeans_plus_plus_num_retries: int = 2,
        relative_tolerance: float | None = None, config: Any = None, feature_columns: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            num_clusters, model_dir, initial_clusters, distance_metric, seed, use_mini_batch,
            mini_batch_steps_per_iteration, kmeans_plus_plus_num_retries, relative_tolerance, config, feature_columns,
        )  # fmt: skip

    def transform(self, input_fn: Callable[[], Any]) -> Iterator[Any]:
        """The distances, not squared, of each point to all centers."""
        for distances in super().transform(input_fn):
            is_squared = self._distance_metric == self.SQUARED_EUCLIDEAN_DISTANCE
            yield np.sqrt(distances) if is_squared else distances
