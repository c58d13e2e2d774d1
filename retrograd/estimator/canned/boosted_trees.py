"""Boosted decision trees: ``BoostedTreesClassifier``, ``BoostedTreesRegressor`` and ``BoostedTreesEstimator``.

Source: ``tensorflow_estimator`` 1.15.1, ``canned/boosted_trees.py``.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from retrograd.estimator.canned import labels as given
from retrograd.estimator.canned.heads import BinaryHead, RegressionHead
from retrograd.estimator.canned.tree_resources import QuantileAccumulator, TreeEnsemble
from retrograd.estimator.estimator import Estimator
from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.feature_column.combining import CrossedColumn
from retrograd.feature_column.dense_categories import IndicatorColumn
from retrograd.feature_column.models import transform_features_v2
from retrograd.feature_column.numeric import BucketizedColumn, numeric_column
from retrograd.feature_column.protocol import CategoricalColumn, DenseColumn
from retrograd.feature_column.state import LayerState
from retrograd.files import tree_messages as messages
from retrograd.grad.gradients import gradients
from retrograd.graph import dtypes
from retrograd.graph.apply import apply, apply_op
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.io.checkpoint_values import load_checkpoint
from retrograd.nn import summaries
from retrograd.nn.losses import Reduction
from retrograd.ops import (
    arrays,
    casts,
    comparison,
    constants,
    control,
    exponentials,
    joining,
    powers,
    reductions,
    state,
)
from retrograd.ops import boosted_tree_quantiles as quantiles
from retrograd.ops import boosted_tree_splits as splits
from retrograd.ops import boosted_trees as ops
from retrograd.ops.accumulators import ConditionalAccumulator
from retrograd.ops.conditions import cond
from retrograd.sessions.hooks import SessionRunArgs, SessionRunHook
from retrograd.state.variables import VariableV1
from retrograd.train.training_util import get_or_create_global_step

_PRUNING = {"none": ops.NO_PRUNING, "pre": ops.PRE_PRUNING, "post": ops.POST_PRUNING}
_NOT_CACHED = -1  # the node of an example that has not been on its way yet
_PATHS = "example_debug_outputs"  # among the predictions

# -- columns -----------------------------------------------------------------------------------


def _width(column: Any) -> int:
    """How many features of trees a column gives."""
    if isinstance(column, IndicatorColumn):
        return int(column.categorical_column.num_buckets)
    if isinstance(column, BucketizedColumn):
        return 1
    if isinstance(column, CategoricalColumn | CrossedColumn):
        raise ValueError(f"CategoricalColumn must be wrapped by IndicatorColumn, got: {column}")
    if not isinstance(column, DenseColumn):
        raise ValueError(f"Got unexpected feature column type: {column}")
    if (column.variable_shape.rank or 0) > 1:
        raise ValueError(
            f"For now, we only support Dense column with rank of 1, but column `{column.name}` got: "
            f"{column.variable_shape}"
        )
    return column.variable_shape.num_elements() or 1


def _is_float(column: Any) -> bool:
    _width(column)
    return not isinstance(column, IndicatorColumn | BucketizedColumn)


def _grouped(columns: list[Any], num_quantiles: int) -> list[tuple[int, list[int]]]:
    """The numbers of the features by how many buckets they have: bucketized columns share the most."""
    groups: dict[int, list[int]] = {}
    bucketized: list[int] = []
    most, at = 2, 0
    for column in columns:
        ids = list(range(at, at + _width(column)))
        at += len(ids)
        if isinstance(column, BucketizedColumn):
            most = max(most, len(column.boundaries) + 1)
            bucketized += ids
        else:
            groups.setdefault(2 if isinstance(column, IndicatorColumn) else num_quantiles, []).extend(ids)
    if bucketized:
        groups.setdefault(most, []).extend(bucketized)
    return list(groups.items())


def _features_of(features: dict[str, Any], columns: list[Any], boundaries: dict[str, Any] | None = None) -> list[Any]:
    """The features of trees: numbers of buckets; without ``boundaries`` the numbers of float columns themselves."""
    transformed = transform_features_v2(features, columns, LayerState(None, False))
    found: list[Any] = []
    for column in columns:
        tensor = transformed[column]
        if isinstance(column, BucketizedColumn):
            found.append(arrays.squeeze(tensor, axis=1))
        elif isinstance(column, IndicatorColumn):
            found += joining.unstack(casts.to_int32(tensor), axis=1)
        else:
            numbers = joining.unstack(tensor, axis=1)
            if boundaries:
                numbers = apply(quantiles.BUCKETIZE, numbers, boundaries[column.name], num_features=len(numbers))
            found += numbers
    return found


# -- the model ---------------------------------------------------------------------------------


class _Settings(NamedTuple):
    n_trees: int
    max_depth: int
    learning_rate: float
    l1: float
    l2: float
    tree_complexity: float
    min_node_weight: float
    center_bias: bool
    pruning: int
    epsilon: float

    @property
    def max_splits(self) -> int:
        return (1 << self.max_depth) - 1


def _settings(
    n_trees: int, max_depth: int, learning_rate: float, l1: float, l2: float, tree_complexity: float,
    min_node_weight: float, center_bias: bool, pruning_mode: str, epsilon: float,
) -> _Settings:  # fmt: skip
    if pruning_mode not in _PRUNING:
        raise ValueError(f"pruning_mode mode must be one of: {', '.join(sorted(_PRUNING))}")
    pruning = _PRUNING[pruning_mode]
    if tree_complexity > 0 and pruning == ops.NO_PRUNING:
        raise ValueError("Tree complexity have no effect unless pruning mode is chosen.")
    if tree_complexity <= 0 and pruning != ops.NO_PRUNING:
        raise ValueError("For pruning, tree_complexity must be positive.")
    return _Settings(
        n_trees, max_depth, learning_rate, l1, l2, tree_complexity, min_node_weight, center_bias, pruning, epsilon
    )


def _flag(value: Any, name: str) -> Any:
    return VariableV1(value, trainable=False, validate_shape=False, name=name, use_resource=True)


class _Grower:
    """Collects what several batches say of the next layer, and grows it."""

    def __init__(
        self, ensemble: Tensor, quantiles: Any, settings: _Settings, groups: list[tuple[int, list[int]]], stamp: Any,
        batches: int,
    ) -> None:  # fmt: skip
        self._ensemble, self._quantiles, self._settings, self._groups = ensemble, quantiles, settings, groups
        self._stamp, self._batches = stamp, batches
        self._sums = []
        begin = []
        for i, (buckets, ids) in enumerate(groups):
            shape = [len(ids), settings.max_splits, buckets, 2]
            sums = ConditionalAccumulator(
                dtypes.float32, shape=shape, shared_name=f"numeric_stats_summary_accumulator_{i}"
            )
            begin.append(sums.set_global_step(stamp))
            self._sums.append(sums)
        if settings.center_bias:
            self._bias = ConditionalAccumulator(dtypes.float32, shape=[2, 1], shared_name="bias_accumulator")
            begin.append(self._bias.set_global_step(stamp))
        self.begin = control.group(*begin)

    def find_quantiles(self, numbers: list[Any], weights: Tensor, are_ready: Any) -> Any:
        """Add a batch to the quantiles; after enough batches they are settled."""
        add = self._quantiles.add_summaries(numbers, weights)
        count = ConditionalAccumulator(dtypes.float32, shape=[], shared_name="quantile_summary_accum")
        begin = count.set_global_step(self._stamp)
        applied = count.apply_grad(constants.constant(0.0), self._stamp)

        def settle() -> Any:
            taken = count.take_grad(1)
            return control.group(self._quantiles.flush(), taken, are_ready.assign(True).op)

        with control_dependencies([control.group(add, begin, applied)]):
            enough = comparison.greater_equal(count.num_accumulated(), self._batches)
            return cond(enough, settle, control.no_op, name="wait_until_quaniles_accumulated")

    def center(self, needed: Any, g: Tensor, h: Tensor) -> Any:
        """Add a batch to the bias; after enough batches it moves."""
        means = reductions.reduce_mean(joining.stack([g, h], axis=0), axis=1)
        settings = self._settings

        def move() -> Any:
            taken = joining.unstack(self._bias.take_grad(1), axis=0)
            goes_on = apply(
                ops.CENTER_BIAS, self._ensemble, arrays.expand_dims(taken[0], 0), arrays.expand_dims(taken[1], 0),
                settings.l1, settings.l2,
            )  # fmt: skip
            with control_dependencies([needed.assign(goes_on).op]):
                return cond(goes_on, control.no_op, self._begin_layers)

        with control_dependencies([self._bias.apply_grad(means, self._stamp)]):
            enough = comparison.greater_equal(self._bias.num_accumulated(), self._batches)
            return cond(enough, move, control.no_op, name="wait_until_n_batches_for_bias_accumulated")

    def _begin_layers(self) -> Any:
        return control.group(*[sums.set_global_step(self._stamp + 1) for sums in self._sums])

    def grow(self, stats: list[list[Tensor]], nodes: Tensor) -> Any:
        """Add a batch's sums; after enough batches one layer grows."""
        added = [
            sums.apply_grad(joining.stack(each, axis=0), self._stamp)
            for sums, each in zip(self._sums, stats, strict=True)
        ]
        with control_dependencies(added):
            least = reductions.reduce_min(joining.stack([sums.num_accumulated() for sums in self._sums]))
            enough = comparison.greater_equal(least, self._batches)
            return cond(enough, lambda: self._layer(nodes), control.no_op, name="wait_until_n_batches_accumulated")

    def _layer(self, nodes: Tensor) -> Any:
        settings = self._settings
        columns: list[list[Any]] = [[] for _ in range(5)]
        all_ids: list[int] = []
        for sums, (_, ids) in zip(self._sums, self._groups, strict=True):
            best = apply(
                splits.BEST_GAINS, nodes, joining.unstack(sums.take_grad(1), axis=0), settings.l1, settings.l2,
                settings.tree_complexity, settings.min_node_weight, max_splits=settings.max_splits,
                num_features=len(ids),
            )  # fmt: skip
            all_ids += ids
            for k, column in enumerate(columns):
                column += best[k * len(ids) : (k + 1) * len(ids)]
        return apply_op(
            ops.UPDATE, self._ensemble, all_ids, *columns, settings.max_depth, settings.learning_rate,
            pruning_mode=settings.pruning, num_features=len(all_ids),
        )  # fmt: skip


class _Cache:
    """Where the examples of the one batch stand in the trees, and their logits so far."""

    def __init__(self, batch_size: Tensor, dimension: int) -> None:
        self._trees = _flag(constants.zeros([batch_size], dtypes.int32), "tree_ids_cache")
        self._nodes = _flag(_NOT_CACHED * constants.ones([batch_size], dtypes.int32), "node_ids_cache")
        self._logits = _flag(constants.zeros([batch_size, dimension]), "logits_cache")

    def found(self) -> tuple[Any, Any, Any]:
        return self._trees.value(), self._nodes.value(), self._logits.value()

    def put(self, trees: Tensor, nodes: Tensor, logits: Tensor) -> Any:
        writes = [self._trees.assign(trees), self._nodes.assign(nodes), self._logits.assign(logits)]
        return control.group(*writes, name="cache_insert")


def _boosted_trees(
    features: dict[str, Any], labels: Any, mode: str, head: Any, columns: list[Any], settings: _Settings, batches: int,
    closed_form: Callable[[Any, Any], tuple[Any, Any]] | None, weight_column: Any, train_in_memory: bool,
    explains: bool = False,
) -> EstimatorSpec:  # fmt: skip
    floats = [column for column in columns if _is_float(column)]
    num_quantiles = int(1.0 / settings.epsilon)
    with name_scope("boosted_trees") as scope:
        step = get_or_create_global_step()
        resource = TreeEnsemble(scope)
        ensemble = resource.resource_handle
        sketches, boundaries = None, {}
        if floats:
            count = sum(map(_width, floats))
            sketches = QuantileAccumulator(settings.epsilon, count, num_quantiles)
            all_bounds = sketches.get_bucket_boundaries()
            for column in floats:
                boundaries[column.name], all_bounds = all_bounds[: _width(column)], all_bounds[_width(column) :]
        buckets = _features_of(features, columns, boundaries)
        if mode != ModeKeys.TRAIN:
            logits = apply(
                ops.PREDICT, ensemble, buckets, num_bucketized_features=len(buckets),
                logits_dimension=head.logits_dimension,
            )  # fmt: skip
            spec: EstimatorSpec = head.create_estimator_spec(
                features=features, mode=mode, labels=labels, train_op_fn=control.no_op, logits=logits
            )
            if explains:
                paths = apply(
                    ops.EXPLAIN, ensemble, buckets, num_bucketized_features=len(buckets),
                    logits_dimension=head.logits_dimension,
                )  # fmt: skip
                spec = spec._replace(predictions={**spec.predictions, _PATHS: paths})
            return spec
        are_ready = _flag(not floats, "are_boundaries_ready")
        batch_size = arrays.shape(labels)[0]
        cache = _Cache(batch_size, head.logits_dimension) if train_in_memory else None
        if cache is not None:
            cached = cache.found()
        else:
            cached = (
                constants.zeros([batch_size], dtypes.int32),
                _NOT_CACHED * constants.ones([batch_size], dtypes.int32),
                constants.zeros([batch_size, head.logits_dimension]),
            )
        stamp, trees, finalized, attempted, layer = resource.get_states()
        partial, tree_ids, node_ids = apply(
            ops.TRAINING_PREDICT, ensemble, cached[0], cached[1], buckets, num_bucketized_features=len(buckets),
            logits_dimension=head.logits_dimension,
        )  # fmt: skip
        logits = cached[2] + partial
        groups = _grouped(columns, num_quantiles)
        grower = _Grower(ensemble, sketches, settings, groups, stamp, batches)
        summaries.scalar("ensemble/num_trees", trees)
        summaries.scalar("ensemble/num_finalized_trees", finalized)
        summaries.scalar("ensemble/num_attempted_layers", attempted)
        is_centering = _flag(settings.center_bias, "center_bias_needed")
        weights = _weights(features, weight_column)

        def train_op_fn(loss: Any) -> Any:
            def find_quantiles() -> Any:
                with name_scope("UpdateQuantile"):
                    return grower.find_quantiles(_features_of(features, floats), weights, are_ready)

            def grow() -> Any:
                done = []
                if cache is not None:
                    insert = cond(is_centering, control.no_op, lambda: cache.put(tree_ids, node_ids, logits))
                    done.append(insert)
                if closed_form is not None:
                    g, h = closed_form(logits, labels)
                else:
                    g = gradients(loss, logits, name="Gradients")[0]
                    h = gradients(g, logits, name="Hessians")[0]
                stats = [[_stats(node_ids, g, h, buckets[i], n, settings) for i in ids] for n, ids in groups]
                if settings.center_bias:
                    update = cond(
                        is_centering, lambda: grower.center(is_centering, g, h), lambda: grower.grow(stats, layer)
                    )
                else:
                    update = grower.grow(stats, layer)
                done.append(update)
                with control_dependencies([update]):
                    done.append(state.assign_add(step, 1).op)
                return control.group(*done, name="grow_op")

            return cond(are_ready, grow, find_quantiles) if floats else grow()

        spec = head.create_estimator_spec(
            features=features, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
        )
        stop = _StopHook(finalized, attempted, settings.n_trees, settings.max_depth)
        return spec._replace(  # type: ignore[no-any-return]
            training_hooks=(*spec.training_hooks, stop),
            training_chief_hooks=[_BeginHook(grower.begin), *spec.training_chief_hooks],
        )


def _stats(nodes: Tensor, g: Tensor, h: Tensor, buckets: Tensor, count: int, settings: _Settings) -> Tensor:
    summary = apply(
        splits.STATS, nodes, g, h, [buckets], max_splits=settings.max_splits, num_buckets=count, num_features=1
    )
    return arrays.squeeze(summary, axis=0)


def _weights(features: dict[str, Any], weight_column: Any) -> Any:
    if weight_column is None:
        return constants.constant(1.0, shape=[1])
    column = numeric_column(weight_column) if isinstance(weight_column, str) else weight_column
    return _features_of(features, [column])[0]


class _StopHook(SessionRunHook):
    """Stops when there are enough trees, or after twice as many attempts as these take."""

    def __init__(self, finalized: Tensor, attempted: Tensor, max_trees: int, max_depth: int) -> None:
        self._tensors = [finalized, attempted]
        self._max_trees, self._max_layers = max_trees, 2 * max_trees * max_depth

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._tensors)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        finalized, attempted = run_values.results
        if finalized >= self._max_trees - 1 or attempted > self._max_layers - 1:
            finalized, attempted = run_context.session.run(self._tensors)
        if finalized >= self._max_trees or attempted > self._max_layers:
            run_context.request_stop()


class _BeginHook(SessionRunHook):
    """Runs an op when the session is there."""

    def __init__(self, begin: Any) -> None:
        self._begin = begin

    def after_create_session(self, session: Any, coord: Any) -> None:
        session.run(self._begin)


# -- the estimators ----------------------------------------------------------------------------


def _log_loss_derivatives(logits: Any, labels: Any) -> tuple[Any, Any]:
    """p - y and p (1 - p), each over the number of examples."""
    p = powers.reciprocal(exponentials.exp(-logits) + 1.0)
    per_example = powers.reciprocal(casts.cast(arrays.size(p), dtypes.float32))
    labels = given.checked_labels(casts.cast(labels, dtypes.float32), logits, 1)
    return (p - labels) * per_example, p * (1.0 - p) * per_example


class _BoostedTrees(Estimator):
    def __init__(
        self, head: Any, feature_columns: Any, n_batches_per_layer: int, model_dir: Any, config: Any,
        settings: _Settings, closed_form: Any, weight_column: Any, train_in_memory: bool,
    ) -> None:  # fmt: skip
        columns = sorted(feature_columns, key=lambda column: column.name)
        if train_in_memory and n_batches_per_layer != 1:
            raise AssertionError(
                "When train_in_memory is enabled, input_fn should return the entire dataset as a single batch, and "
                "n_batches_per_layer should be set as 1."
            )

        def built(explains: bool, features: Any, labels: Any, mode: str) -> EstimatorSpec:
            return _boosted_trees(
                features, labels, mode, head, columns, settings, n_batches_per_layer, closed_form, weight_column,
                train_in_memory, explains,
            )  # fmt: skip

        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            return built(False, features, labels, mode)

        def explaining(features: Any, labels: Any, mode: str) -> EstimatorSpec:
            return built(True, features, labels, mode)

        super().__init__(model_fn, model_dir=model_dir, config=config)
        self._explaining = explaining if settings.center_bias else None
        self._is_binary = isinstance(head, BinaryHead)
        self._names = [
            column.categorical_column.name if isinstance(column, IndicatorColumn) else column.name
            for column in columns
            for _ in range(_width(column))
        ]

    def experimental_feature_importances(self, normalize: bool = False) -> dict[str, float]:
        """For each column how much its splits have gained, the most important first.

        Raises:
          ValueError: the model is not trained.
        """
        serialized = load_checkpoint(self._model_dir).get_tensor("boosted_trees:0_serialized")
        if not serialized:
            raise ValueError(
                "Found empty serialized string for TreeEnsemble.You should only call this method after training."
            )
        ensemble = messages.message("TreeEnsemble").FromString(serialized)
        gains = np.zeros(len(self._names))
        for tree, weight in zip(ensemble.trees, ensemble.tree_weights, strict=True):
            for node in tree.nodes:
                if node.WhichOneof("node") == "bucketized_split":
                    gains[node.bucketized_split.feature_id] += weight * node.metadata.gain
        if normalize:
            assert gains.sum() > 0, "Trees are all empty or contain only a root node."
            gains /= gains.sum()
        total: dict[str, float] = {}
        for name, gain in zip(self._names, gains.tolist(), strict=True):
            total[name] = total.get(name, 0.0) + gain
        return dict(sorted(total.items(), key=lambda item: item[1], reverse=True))

    def experimental_predict_with_explanations(
        self, input_fn: Any, predict_keys: Any = None, hooks: Any = None, checkpoint_path: str | None = None
    ) -> Iterator[dict[str, Any]]:
        """As ``predict``, with what each column contributes.

        Args:
          input_fn, predict_keys, hooks, checkpoint_path: as those of ``predict``.

        Yields:
          the predictions for an example, with ``"bias"``, the mean prediction of the training data, and ``"dfc"``, by
          how much each column moves the prediction away from it (in probability, for a classifier), the most first.

        Raises:
          ValueError: the model was made without ``center_bias``.
        """
        if self._explaining is None:
            raise ValueError(
                "center_bias must be enabled during estimator instantiation when using "
                "experimental_predict_with_explanations."
            )
        model = Estimator(self._explaining, model_dir=self.model_dir, config=self.config)
        keys = predict_keys if predict_keys is None else [*predict_keys, _PATHS]
        for told in model.predict(input_fn, predict_keys=keys, hooks=hooks, checkpoint_path=checkpoint_path):
            told["bias"], told["dfc"] = self._contributions(told.pop(_PATHS))
            yield told

    def _contributions(self, serialized: bytes) -> tuple[Any, dict[str, Any]]:
        path = messages.message("DebugOutput").FromString(serialized)
        values = np.array(path.logits_path, np.float64)
        if self._is_binary:
            values = 1.0 / (1.0 + np.exp(-values))
        found = OrderedDict((name, np.float64(0.0)) for name in self._names)
        for feature, step in zip(path.feature_ids, np.diff(values), strict=True):
            found[self._names[feature]] += step
        return values[0], OrderedDict(sorted(found.items(), key=lambda item: abs(item[1]), reverse=True))


class BoostedTreesClassifier(_BoostedTrees):
    """Yes or no by the sum of decision trees.

    Args:
      feature_columns: numeric and bucketized columns, and indicators of categories.
      n_batches_per_layer: how many batches a layer is grown from.
      n_trees, max_depth: how many trees, and how deep.
      l1_regularization, l2_regularization: penalties on the values of leaves.
      tree_complexity: what a split must gain, where ``pruning_mode`` is ``"pre"`` or ``"post"``.
      min_node_weight: the least sum of Hessians of a node that is split.
      center_bias: whether the trees begin at the mean.
      quantile_sketch_epsilon: the error of the quantiles between which numbers are told apart.
      train_in_memory: whether the only batch is all of the data, so that each example's way can be kept.

    Raises:
      ValueError: there are more classes than two, or the columns are others.
    """

    def __init__(
        self, feature_columns: Any, n_batches_per_layer: int, model_dir: Any = None, n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Any = None, n_trees: int = 100, max_depth: int = 6,
        learning_rate: float = 0.1, l1_regularization: float = 0.0, l2_regularization: float = 0.0,
        tree_complexity: float = 0.0, min_node_weight: float = 0.0, config: Any = None, center_bias: bool = False,
        pruning_mode: str = "none", quantile_sketch_epsilon: float = 0.01, train_in_memory: bool = False,
    ) -> None:  # fmt: skip
        if n_classes != 2:
            raise ValueError(f"For now only binary classification is supported.n_classes given as {n_classes}")
        mean = Reduction.SUM_OVER_BATCH_SIZE
        head = BinaryHead(weight_column, label_vocabulary=label_vocabulary, loss_reduction=mean)
        is_plain = weight_column is None and label_vocabulary is None
        settings = _settings(
            n_trees, max_depth, learning_rate, l1_regularization, l2_regularization, tree_complexity, min_node_weight,
            center_bias, pruning_mode, quantile_sketch_epsilon,
        )  # fmt: skip
        super().__init__(
            head, feature_columns, n_batches_per_layer, model_dir, config, settings,
            _log_loss_derivatives if is_plain else None, weight_column, train_in_memory,
        )  # fmt: skip


class BoostedTreesRegressor(_BoostedTrees):
    """A number as the sum of decision trees; arguments as of ``BoostedTreesClassifier``."""

    def __init__(
        self, feature_columns: Any, n_batches_per_layer: int, model_dir: Any = None, label_dimension: int = 1,
        weight_column: Any = None, n_trees: int = 100, max_depth: int = 6, learning_rate: float = 0.1,
        l1_regularization: float = 0.0, l2_regularization: float = 0.0, tree_complexity: float = 0.0,
        min_node_weight: float = 0.0, config: Any = None, center_bias: bool = False, pruning_mode: str = "none",
        quantile_sketch_epsilon: float = 0.01, train_in_memory: bool = False,
    ) -> None:  # fmt: skip
        if label_dimension != 1:
            raise ValueError(
                f"For now only 1 dimension regression is supported.label_dimension given as {label_dimension}"
            )
        head = RegressionHead(weight_column, label_dimension, Reduction.SUM_OVER_BATCH_SIZE)
        settings = _settings(
            n_trees, max_depth, learning_rate, l1_regularization, l2_regularization, tree_complexity, min_node_weight,
            center_bias, pruning_mode, quantile_sketch_epsilon,
        )  # fmt: skip
        super().__init__(
            head, feature_columns, n_batches_per_layer, model_dir, config, settings, None, weight_column,
            train_in_memory,
        )  # fmt: skip


class BoostedTreesEstimator(_BoostedTrees):
    """Decision trees under a head of the user; arguments as of ``BoostedTreesClassifier``."""

    def __init__(
        self, feature_columns: Any, n_batches_per_layer: int, head: Any, model_dir: Any = None,
        weight_column: Any = None, n_trees: int = 100, max_depth: int = 6, learning_rate: float = 0.1,
        l1_regularization: float = 0.0, l2_regularization: float = 0.0, tree_complexity: float = 0.0,
        min_node_weight: float = 0.0, config: Any = None, center_bias: bool = False, pruning_mode: str = "none",
        quantile_sketch_epsilon: float = 0.01,
    ) -> None:  # fmt: skip
        settings = _settings(
            n_trees, max_depth, learning_rate, l1_regularization, l2_regularization, tree_complexity, min_node_weight,
            center_bias, pruning_mode, quantile_sketch_epsilon,
        )  # fmt: skip
        super().__init__(head, feature_columns, n_batches_per_layer, model_dir, config, settings, None, None, False)
