"""``tf.contrib.learn.KMeansClustering``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.contrib.clustering import KMEANS_PLUS_PLUS_INIT, RANDOM_INIT, KMeans
from retrograd.estimator.canned.kmeans import InitializeClustersHook, LossRelativeChangeHook, points_of
from retrograd.estimator.learn import Estimator
from retrograd.estimator.older.specs import ModelFnOps
from retrograd.nn import summaries
from retrograd.ops import control
from retrograd.ops.reductions import reduce_sum
from retrograd.ops.state import assign_add
from retrograd.train.training_util import get_global_step


class KMeansClustering(Estimator):
    """Clusters of points; arguments as of ``tf.contrib.factorization.KMeansClustering``."""

    SCORES, CLUSTER_IDX, CLUSTERS, ALL_SCORES = "scores", "cluster_idx", "clusters", "all_scores"
    SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE = "squared_euclidean", "cosine"
    RANDOM_INIT, KMEANS_PLUS_PLUS_INIT = RANDOM_INIT, KMEANS_PLUS_PLUS_INIT
    LOSS_OP_NAME = "kmeans_loss"

    def __init__(
        self, num_clusters: Any, model_dir: Any = None, initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE, random_seed: int = 0, use_mini_batch: bool = True,
        mini_batch_steps_per_iteration: int = 1, kmeans_plus_plus_num_retries: int = 2,
        relative_tolerance: float | None = None, config: Any = None,
    ) -> None:  # fmt: skip
        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> ModelFnOps:
            distances, nearest, scores, is_initialized, init_op, step = KMeans(
                points_of(features), num_clusters, initial_clusters, distance_metric, use_mini_batch,
                mini_batch_steps_per_iteration, random_seed, kmeans_plus_plus_num_retries,
            ).training_graph()  # fmt: skip
            count = assign_add(get_global_step(), 1)
            loss = reduce_sum(scores, name=self.LOSS_OP_NAME)
            summaries.scalar("loss/raw", loss)
            train_op = control.with_dependencies([step, count], loss)
            hooks: list[Any] = [InitializeClustersHook(init_op, is_initialized, config.is_chief, self.model_dir)]
            if relative_tolerance is not None:
                hooks.append(LossRelativeChangeHook(loss, relative_tolerance))
            return ModelFnOps(
                mode, {self.ALL_SCORES: distances[0], self.CLUSTER_IDX: nearest[0]}, loss, train_op,
                {self.SCORES: loss}, training_hooks=hooks,
            )  # fmt: skip

        super().__init__(model_fn, model_dir, config)

    def predict_cluster_idx(self, input_fn: Any = None) -> Iterator[Any]:
        """The nearest cluster of each point."""
        for result in self.predict(input_fn=input_fn, outputs=[self.CLUSTER_IDX]):
            yield result[self.CLUSTER_IDX]

    def score(self, input_fn: Any = None, steps: int | None = None) -> Any:
        """The sum of the distances of points to their nearest centers."""
        return np.sum(self.evaluate(input_fn=input_fn, steps=steps)[self.SCORES])

    def transform(self, input_fn: Any = None, as_iterable: bool = False) -> Any:
        """The distances of each point to all centers."""
        found = self.predict(input_fn=input_fn, outputs=[self.ALL_SCORES], as_iterable=as_iterable)
        return found if as_iterable else found[self.ALL_SCORES]

    def clusters(self) -> Any:
        """The centers in the latest checkpoint."""
        return self.get_variable_value(self.CLUSTERS)
