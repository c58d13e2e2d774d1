"""``tf.contrib.factorization``'s estimators on ``tf.contrib.learn``: mixtures of normal distributions, and matrix
factorization by weighted alternating least squares.

Source: TensorFlow 1.15.5, ``contrib/factorization/python/ops/gmm.py`` and ``wals.py``: arguments, names, order of ops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.contrib.factorizing import WALSModel
from retrograd.contrib.mixtures import FULL_COVARIANCE, GmmAlgorithm, gmm
from retrograd.estimator.canned.kmeans import InitializeClustersHook, points_of
from retrograd.estimator.learn import Estimator
from retrograd.estimator.older.specs import ModelFnOps
from retrograd.estimator.specs import ModeKeys
from retrograd.graph import dtypes, log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.scopes import colocate_with, control_dependencies
from retrograd.graph.stack import default_graph
from retrograd.nn import summaries
from retrograd.ops import casts, comparison, constants, control, powers, reductions
from retrograd.ops.conditions import cond
from retrograd.ops.scatters import scatter_update
from retrograd.ops.state import assign, assign_add
from retrograd.sessions.hooks import SessionRunArgs, SessionRunHook
from retrograd.state.variables import Variable as variable
from retrograd.train.training_util import get_global_step


class GMM(Estimator):
    """A mixture of normal distributions.

    Args:
      num_clusters: how many.
      random_seed, params, covariance_type: as of ``GmmAlgorithm``.
      initial_clusters: the first means, or "random".
    """

    SCORES, LOG_LIKELIHOOD, ASSIGNMENTS = "scores", "loss", "assignments"

    def __init__(
        self, num_clusters: int, model_dir: Any = None, random_seed: int = 0, params: str = "wmc",
        initial_clusters: Any = "random", covariance_type: str = FULL_COVARIANCE, config: Any = None,
    ) -> None:  # fmt: skip
        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> ModelFnOps:
            assert labels is None, labels
            loss, scores, assignments, step, init_op, is_initialized = gmm(
                points_of(features), initial_clusters, num_clusters, random_seed, covariance_type, params
            )
            count = assign_add(get_global_step(), 1)
            train_op = control.with_dependencies([step, count], loss)
            total = variable(
                constants.constant(0.0), trainable=False, collections=[GraphKeys.LOCAL_VARIABLES]
            )  # fmt: skip
            return ModelFnOps(
                mode, {self.ASSIGNMENTS: assignments[0][0]}, loss, train_op,
                {self.SCORES: scores, self.LOG_LIKELIHOOD: (total, total.assign_add(loss))},
                training_hooks=[InitializeClustersHook(init_op, is_initialized, config.is_chief)],
            )  # fmt: skip

        super().__init__(model_fn, model_dir, config)

    def predict_assignments(self, input_fn: Any = None, batch_size: Any = None, outputs: Any = None) -> Iterator[Any]:
        """The likeliest distribution of each point."""
        for result in self.predict(input_fn=input_fn, batch_size=batch_size, outputs=outputs):
            yield result[self.ASSIGNMENTS]

    def score(self, input_fn: Any = None, batch_size: Any = None, steps: int | None = None) -> Any:
        """The logarithm of the sum of how likely the points of the last batch are."""
        found = self.evaluate(input_fn=input_fn, batch_size=batch_size, steps=steps)
        return np.log(np.sum(np.exp(found[self.SCORES])))

    def weights(self) -> Any:
        """The weights of the distributions in the latest checkpoint."""
        return self.get_variable_value(GmmAlgorithm.CLUSTERS_WEIGHT)

    def clusters(self) -> Any:
        """The means in the latest checkpoint."""
        return np.squeeze(self.get_variable_value(GmmAlgorithm.CLUSTERS_VARIABLE), 1)

    def covariances(self) -> Any:
        """The covariances in the latest checkpoint."""
        return self.get_variable_value(GmmAlgorithm.CLUSTERS_COVS_VARIABLE)


# -- matrices --------------------------------------------------------------------------------------


class SweepHook(SessionRunHook):
    """Runs the step of the sweep that is under way, and before each sweep what prepares it.

    Args:
      is_row_sweep, is_sweep_done: variables that say where training stands.
      init_op: runs once.
      row_prep_ops, col_prep_ops: the ops before a sweep over rows, and those before one over columns.
      row_train_op, col_train_op: the op of a step over rows, and that of one over columns.
      switch_op: goes on to the other sweep.
    """

    def __init__(
        self, is_row_sweep: Any, is_sweep_done: Any, init_op: Any, row_prep_ops: list[Any], col_prep_ops: list[Any],
        row_train_op: Any, col_train_op: Any, switch_op: Any,
    ) -> None:  # fmt: skip
        self._is_row_sweep, self._is_sweep_done, self._init_op = is_row_sweep, is_sweep_done, init_op
        self._prepare, self._steps = (row_prep_ops, col_prep_ops), (row_train_op, col_train_op)
        self._switch_op = switch_op
        self._has_begun = False

    def before_run(self, run_context: Any) -> SessionRunArgs:
        session = run_context.session
        is_done = session.run(self._is_sweep_done)
        if not self._has_begun:
            log.info("SweepHook running init op.")
            session.run(self._init_op)
        if is_done:
            log.info("SweepHook starting the next sweep.")
            session.run(self._switch_op)
        of = 0 if session.run(self._is_row_sweep) else 1
        if is_done or not self._has_begun:
            log.info("SweepHook running prep ops for the %s sweep.", ("row", "col")[of])
            for op in self._prepare[of]:
                session.run(op)
        self._has_begun = True
        log.info("Next fit step starting.")
        return SessionRunArgs(fetches=[self._steps[of]])


class StopAtSweepHook(SessionRunHook):
    """Stops after ``last_sweep`` sweeps.

    Raises:
      RuntimeError: the graph does not count sweeps.
    """

    def __init__(self, last_sweep: int) -> None:
        self._last_sweep = last_sweep
        self._sweeps: Any = None

    def begin(self) -> None:
        name = WALSMatrixFactorization.COMPLETED_SWEEPS
        try:
            self._sweeps = default_graph().get_tensor_by_name(name + ":0")
        except KeyError:
            raise RuntimeError(f"{name} counter should be created to use StopAtSweepHook.") from None

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._sweeps)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if run_values.results >= self._last_sweep:
            run_context.request_stop()


class _CountSteps(SessionRunHook):
    def __init__(self) -> None:
        step = get_global_step()
        self._count = None if step is None else assign_add(step, 1, name="global_step_incr").op

    def before_run(self, run_context: Any) -> None:
        if self._count is not None:
            run_context.session.run(self._count)


class _Sweeps:
    """The variables of training, and the ops of sweeps over them."""

    def __init__(self) -> None:
        self.is_row_sweep = self._held(True, "is_row_sweep")
        self.is_done = self._held(False, "is_sweep_done")
        self.count = self._held(0, WALSMatrixFactorization.COMPLETED_SWEEPS)
        self.loss = self._held(0.0, WALSMatrixFactorization.LOSS)
        self.rwse = self._held(0.0, WALSMatrixFactorization.RWSE)
        summaries.scalar("loss", self.loss)
        summaries.scalar("root_weighted_squared_error", self.rwse)
        summaries.scalar("completed_sweeps", self.count)

    def _held(self, value: Any, name: str) -> Any:
        return variable(value, trainable=False, name=name, collections=[GraphKeys.GLOBAL_VARIABLES])

    def along(self, axis: str, size: int, sp_input: Any, update: Callable[..., tuple[Any, ...]]) -> tuple[Any, Any]:
        """(the op that begins a sweep, the op of a step) over rows or columns; a sweep ends when all have been seen."""
        none = constants.fill([size], False)
        with colocate_with(none):
            seen = self._held(none, "processed_" + axis)
        _, updated, loss, ridge, weights = update(sp_input)
        indices = sp_input.indices[:, 0]
        told = [assign(self.loss, loss + ridge), assign(self.rwse, powers.sqrt(loss / weights))]
        with control_dependencies([updated, *told]):
            with colocate_with(seen):
                ones = constants.ones_like(indices, dtype=dtypes.bool)
                marked = scatter_update(seen, indices, ones, name=f"update_processed_{axis}_indices")
            with control_dependencies([marked]):
                done = reductions.reduce_all(seen)
                step = control.group(
                    assign(self.is_done, done), assign_add(self.count, casts.cast(done, dtypes.int32)),
                    name=f"{axis}_sweep_train_op",
                )  # fmt: skip
        return seen.initializer, step

    def hook(self, model: WALSModel, rows: tuple[Any, Any], cols: tuple[Any, Any]) -> SweepHook:
        other = assign(self.is_row_sweep, comparison.logical_not(self.is_row_sweep))
        switch = control.group(other, rows[0], cols[0], name="sweep_switch_op")
        prepare = (
            [model.row_update_prep_gramian_op, model.initialize_row_update_op],
            [model.col_update_prep_gramian_op, model.initialize_col_update_op],
        )
        return SweepHook(self.is_row_sweep, self.is_done, model.worker_init, *prepare, rows[1], cols[1], switch)


class WALSMatrixFactorization(Estimator):
    """A sparse matrix as a product of narrow ones, by weighted alternating least squares.

    The features are sparse matrices, INPUT_ROWS with rows of the matrix and INPUT_COLS with columns, transposed; where
    it does not train, PROJECT_ROW says which of both counts, and PROJECTION_WEIGHTS what the projected ones weigh.

    Args:
      num_rows, num_cols: the size of the matrix.
      embedding_dimension: how wide the factors are.
      unobserved_weight, row_init, col_init, num_row_shards, num_col_shards, row_weights, col_weights: as of
        ``WALSModel``, as ``regularization_coeff`` and whether copies are kept while it trains.
      max_sweeps: after how many sweeps training ends.

    Raises:
      ValueError: more than one worker.
    """

    INPUT_ROWS, INPUT_COLS = "input_rows", "input_cols"
    PROJECT_ROW, PROJECTION_WEIGHTS, PROJECTION_RESULT = "project_row", "projection_weights", "projection"
    COMPLETED_SWEEPS, LOSS, RWSE = "completed_sweeps", "WALS_loss", "WALS_RWSE"

    def __init__(
        self,
        num_rows: int,
        num_cols: int,
        embedding_dimension: int,
        unobserved_weight: float = 0.1,
        regularization_coeff: float | None = None,
        row_init: Any = "random",
        col_init: Any = "random",
        num_row_shards: int = 1,
        num_col_shards: int = 1,
        row_weights: Any = 1,
        col_weights: Any = 1,
        use_factors_weights_cache_for_training: bool = True,
        use_gramian_cache_for_training: bool = True,
        max_sweeps: int | None = None,
        model_dir: Any = None,
        config: Any = None,
    ) -> None:
        def model_fn(features: Any, labels: Any, mode: str) -> ModelFnOps:
            assert labels is None, labels
            trains = mode == ModeKeys.TRAIN
            model = WALSModel(
                num_rows, num_cols, embedding_dimension, unobserved_weight, regularization_coeff, row_init, col_init,
                num_row_shards, num_col_shards, row_weights, col_weights,
                use_factors_weights_cache_for_training and trains, use_gramian_cache_for_training and trains,
            )  # fmt: skip
            rows, cols = features[self.INPUT_ROWS], features[self.INPUT_COLS]
            if not trains:
                return self._seen(model, mode, features, rows, cols)
            sweeps = _Sweeps()
            by_row = sweeps.along("rows", num_rows, rows, model.update_row_factors)
            by_col = sweeps.along("cols", num_cols, cols, lambda x: model.update_col_factors(x, True))
            hooks: list[SessionRunHook] = [sweeps.hook(model, by_row, by_col), _CountSteps()]
            hooks += [] if max_sweeps is None else [StopAtSweepHook(max_sweeps)]
            return ModelFnOps(mode, {}, sweeps.loss, control.no_op(), {}, training_hooks=hooks)

        super().__init__(model_fn, model_dir, config)
        self._shards = num_row_shards, num_col_shards
        if self.config.num_worker_replicas > 1:
            raise ValueError("WALSMatrixFactorization must be run on a single worker replica.")

    def _seen(self, model: WALSModel, mode: str, features: Any, rows: Any, cols: Any) -> ModelFnOps:
        """What is projected, or the loss."""
        weights = features.get(self.PROJECTION_WEIGHTS)
        if mode == ModeKeys.PREDICT:
            found = cond(
                features[self.PROJECT_ROW],
                lambda: model.project_row_factors(rows, False, weights),
                lambda: model.project_col_factors(cols, True, weights),
            )
            return ModelFnOps(mode, {self.PROJECTION_RESULT: found}, None, control.no_op(), {})
        loss = cond(
            features[self.PROJECT_ROW],
            lambda: _whole(model.update_row_factors(rows)),
            lambda: _whole(model.update_col_factors(cols, True)),
        )
        return ModelFnOps(mode, {}, loss, control.no_op(), {})

    def get_row_factors(self) -> list[Any]:
        """The factors of the rows in the latest checkpoint, one matrix for each part."""
        return [self.get_variable_value(f"row_factors_shard_{i}") for i in range(self._shards[0])]

    def get_col_factors(self) -> list[Any]:
        """The factors of the columns."""
        return [self.get_variable_value(f"col_factors_shard_{i}") for i in range(self._shards[1])]

    def get_projections(self, input_fn: Any) -> Iterator[Any]:
        """The factors of the rows or columns that ``input_fn`` gives."""
        return (result[self.PROJECTION_RESULT] for result in self.predict(input_fn=input_fn))


def _whole(solved: tuple[Any, ...]) -> Any:
    return solved[2] + solved[3]
