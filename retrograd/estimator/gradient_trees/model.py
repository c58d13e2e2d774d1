"""The model of boosted trees: what an ensemble predicts, and how batches make it grow.

Sums of gradients and Hessians are collected until enough examples were seen; then each column's handler gives its
best splits, and a layer grows.  Sources: Friedman, "Greedy function approximation", 2001; TensorFlow 1.15.5,
``contrib/boosted_trees/python/training/functions/gbdt_batch.py``: names, order of nodes, defaults, messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from retrograd.estimator.gradient_trees.batching import run_handler_scheduled_ops
from retrograd.estimator.gradient_trees.derivatives import class_columns, hessians_of, weights_of
from retrograd.estimator.gradient_trees.features import extract_features
from retrograd.estimator.gradient_trees.handlers import EqualitySplitHandler
from retrograd.estimator.gradient_trees.number_handlers import DenseSplitHandler, SparseSplitHandler
from retrograd.estimator.gradient_trees.resources import StatsAccumulator
from retrograd.estimator.specs import ModeKeys
from retrograd.files import gradient_tree_messages as messages
from retrograd.grad.gradients import gradients as gradients_of
from retrograd.graph import dtypes, log
from retrograd.graph.apply import apply, apply_named, apply_op
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, device, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.nn import summaries
from retrograd.nn.losses import Reduction
from retrograd.ops import arrays, casts, comparison, constants, control, joining
from retrograd.ops import gradient_tree_growth as growth
from retrograd.ops import gradient_tree_walks as walks
from retrograd.ops import gradient_trees as trees
from retrograd.ops.conditions import cond
from retrograd.ops.reductions import reduce_all, reduce_sum
from retrograd.ops.stateless import stateless_random_uniform
from retrograd.state.variables import VariableV1
from retrograd.train.device_setter import STANDARD_PS_OPS, replica_device_setter

ENSEMBLE_STAMP, PREDICTIONS, PARTITION_IDS, LEAF_INDEX = "ensemble_stamp", "predictions", "partition_ids", "leaf_index"
NUM_LAYERS_ATTEMPTED, NUM_TREES_ATTEMPTED = "num_layers", "num_trees"
NUM_USED_HANDLERS, USED_HANDLERS_MASK = "num_used_handlers", "used_handlers_mask"
_MODES = (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT)


class GBDTTrainingState(NamedTuple):
    """What training reads and writes beside the ensemble."""

    num_layer_examples: Any
    num_layer_steps: Any
    num_layers: Any
    active_tree: Any
    active_layer: Any
    continue_centering: Any
    bias_stats_accumulator: Any
    steps_accumulator: Any
    handlers: Any


class _RoundRobin:
    """Parameter servers in turn, for each type of op by itself."""

    def __init__(self, ps_ops: list[str], num_tasks: int) -> None:
        self._next = {op: i % num_tasks if num_tasks else 0 for i, op in enumerate(ps_ops)}
        self._tasks = num_tasks

    def __call__(self, op: Any) -> int:
        if op.type not in self._next:
            raise ValueError(f"Unknown op type '{op.type}' for placement:")
        task = self._next[op.type]
        self._next[op.type] = (task + 1) % self._tasks if self._tasks else 0
        return task


def _with_defaults(config: Any, logits_dimension: int) -> None:
    """Fill in what a ``LearnerConfig`` leaves open.

    Raises:
      ValueError: trees of whole layers are to be pruned behind.
    """
    kinds = messages.message("LearnerConfig")
    is_oblivious = config.weak_learner_type == kinds.OBLIVIOUS_DECISION_TREE
    if not config.multi_class_strategy:
        one, several = kinds.TREE_PER_CLASS, kinds.DIAGONAL_HESSIAN
        config.multi_class_strategy = one if logits_dimension == 1 else several
    config.growing_mode = config.growing_mode or kinds.LAYER_BY_LAYER
    config.pruning_mode = config.pruning_mode or (kinds.PRE_PRUNE if is_oblivious else kinds.POST_PRUNE)
    if is_oblivious and config.pruning_mode == kinds.POST_PRUNE:
        raise ValueError("Post pruning is not implmented for oblivious decision trees.")
    config.constraints.max_tree_depth = config.constraints.max_tree_depth or 6
    if not config.learning_rate_tuner.WhichOneof("tuner"):
        config.learning_rate_tuner.fixed.learning_rate = 0.1


def _count(name: str) -> Any:
    return VariableV1(constants.zeros([], dtypes.int64), trainable=False, name=name)


class GradientBoostedDecisionTreeModel:
    """An ensemble of trees over features.

    Args:
      is_chief: whether it is here that the ensemble grows.
      num_ps_replicas: how many parameter servers there are.
      ensemble_handle: the trees.
      center_bias: whether a tree of one leaf comes first, the mean.
      examples_per_layer: after how many examples a layer grows, or a function of the layer's number.
      learner_config: a ``LearnerConfig``; what it leaves open is filled in.
      features: tensors by their names.
      logits_dimension: how many logits there are.
      loss_reduction: ``SUM_OVER_NONZERO_WEIGHTS`` or ``SUM``.
      feature_columns, use_core_columns: what of the features it reads, and whether they are ``tf.feature_column``'s.
      output_leaf_index, output_leaf_index_modes: whether predictions hold the leaf of each tree, and in which modes.
      num_quantiles: how many thresholds a number is compared with at most.

    Raises:
      ValueError: arguments are missing, or do not go together.
    """

    def __init__(
        self, is_chief: bool, num_ps_replicas: int, ensemble_handle: Any, center_bias: bool, examples_per_layer: Any,
        learner_config: Any, features: Any, logits_dimension: int,
        loss_reduction: str = Reduction.SUM_OVER_NONZERO_WEIGHTS, feature_columns: Any = None,
        use_core_columns: bool = False, output_leaf_index: bool = False, output_leaf_index_modes: Any = None,
        num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        if ensemble_handle is None:
            raise ValueError("ensemble_handle must be specified.")
        if learner_config is None:
            raise ValueError("learner_config must be specified.")
        if learner_config.num_classes < 2:
            raise ValueError("Number of classes must be >=2")
        if loss_reduction not in (Reduction.SUM, Reduction.SUM_OVER_NONZERO_WEIGHTS):
            raise ValueError(f"Invalid loss reduction is provided: {loss_reduction}.")
        self._is_chief, self._num_ps_replicas, self._ensemble_handle = is_chief, num_ps_replicas, ensemble_handle
        self._center_bias, self._examples_per_layer = center_bias, examples_per_layer
        self._logits_dimension, self._loss_reduction = logits_dimension, loss_reduction
        self._kinds = kinds = messages.message("LearnerConfig")
        _with_defaults(learner_config, logits_dimension)
        self._strategy = strategy = learner_config.multi_class_strategy
        shapes: tuple[list[int], list[int]] = ([], [])
        if logits_dimension != 1 and strategy != kinds.TREE_PER_CLASS:
            if center_bias:
                raise ValueError("Center bias should be False for multiclass.")
            shapes = [logits_dimension], [logits_dimension] * (2 if strategy == kinds.FULL_HESSIAN else 1)
        self._gradient_shape, self._hessian_shape = map(TensorShape, shapes)
        self._learner_config, self._serialized = learner_config, learner_config.SerializeToString()
        self._num_quantiles = num_quantiles
        self._max_tree_depth = VariableV1(learner_config.constraints.max_tree_depth)
        self._attempted_trees, self._finalized_trees = _count("attempted_trees"), _count("finalized_trees")
        self._columns = columns = extract_features(features, feature_columns, use_core_columns)
        self._is_oblivious = learner_config.weak_learner_type == kinds.OBLIVIOUS_DECISION_TREE
        if self._is_oblivious and columns.sparse_float_indices:
            raise ValueError("Oblivious trees don't handle sparse float features yet.")
        log.info("Active Feature Columns: %s", columns.names)
        log.info("Learner config: %s", learner_config)
        self._reduce_dim = strategy == kinds.TREE_PER_CLASS and learner_config.num_classes == 2
        if output_leaf_index_modes is None:
            output_leaf_index_modes = [ModeKeys.PREDICT]
        elif not all(mode in _MODES for mode in output_leaf_index_modes):
            raise ValueError("output_leaf_index_modes should only contain ModeKeys.")
        self._leaf_index_modes = output_leaf_index_modes if output_leaf_index else []

    # -- predictions ---------------------------------------------------------------------------

    def _inputs(self) -> list[Any]:
        columns = self._columns
        return [*columns.dense_floats, *columns.sparse_float_indices, *columns.sparse_int_indices]

    def _predicted(self, handle: Any, stamp: Any, mode: str) -> dict[str, Any]:
        """The predictions of an ensemble that has this stamp."""
        stats = apply_named(trees.STATS, handle, stamp)
        used = apply_named(trees.USED_HANDLERS, handle, stamp, num_all_handlers=len(self._columns.names))
        is_training = mode == ModeKeys.TRAIN
        has_leaves = mode in self._leaf_index_modes
        features = self._columns[1:]
        with control_dependencies(stats):
            logits, _, *leaves = apply(
                walks.PREDICT_LEAVES if has_leaves else walks.PREDICT, handle,
                stats.attempted_trees if is_training else -1, *features, learner_config=self._serialized,
                apply_dropout=is_training, apply_averaging=not is_training, use_locking=True,
                center_bias=self._center_bias, reduce_dim=self._reduce_dim,
            )  # fmt: skip
            partition_ids = apply(walks.PARTITION, handle, *features, use_locking=True)
        found = {
            ENSEMBLE_STAMP: stamp, PREDICTIONS: logits, PARTITION_IDS: partition_ids,
            NUM_LAYERS_ATTEMPTED: stats.attempted_layers, NUM_TREES_ATTEMPTED: stats.attempted_trees,
            NUM_USED_HANDLERS: used.num_used_handlers, USED_HANDLERS_MASK: used.used_handlers_mask,
        }  # fmt: skip
        return found | ({LEAF_INDEX: leaves[0]} if leaves else {})

    def predict(self, mode: str) -> dict[str, Any]:
        """The logits of the batch, [batch, logits], and what training takes with them.

        Raises:
          ValueError: there are no features.
        """
        inputs = self._inputs()
        if not inputs:
            raise ValueError("No input tensors for prediction.")
        handle = self._ensemble_handle
        stamp = apply(trees.STAMP, handle)
        if handle.device == inputs[0].device:
            with device(handle.device):
                return self._predicted(handle, stamp, mode)
        with name_scope("local_ensemble", "TreeEnsembleVariable"):  # a copy where the examples are
            local = apply(trees.TREES, container=handle.op.name + "/local_ensemble")
            create = apply_op(trees.CREATE_TREES, local, -1, "")
            with control_dependencies([create]):
                local_stamp = apply(trees.STAMP, local)

        def refreshed() -> tuple[Any, Any]:
            with control_dependencies([inputs[0]]):
                newest, serialized = apply(trees.SERIALIZE, handle)
            with control_dependencies([create]):
                return apply_op(trees.DESERIALIZE, local, newest, serialized), newest

        with device(local.device):
            here = arrays.identity(stamp)
            refresh, stamp = cond(
                comparison.not_equal(here, local_stamp), refreshed, lambda: (control.no_op(), here)
            )  # fmt: skip
        with control_dependencies([refresh]):
            return self._predicted(local, stamp, mode)

    # -- training ------------------------------------------------------------------------------

    def _class_id(self, predictions_dict: dict[str, Any]) -> Any:
        """The class that the tree is for, where each tree is for one; -1 otherwise."""
        if self._strategy == self._kinds.TREE_PER_CLASS and self._logits_dimension != 1:
            return casts.cast(predictions_dict[NUM_TREES_ATTEMPTED] % self._logits_dimension, dtypes.int32)
        return constants.constant(-1)

    def _handlers(self) -> list[Any]:
        config, columns, number = self._learner_config, self._columns, constants.constant
        stamp = constants.constant(0, dtypes.int64)
        common: dict[str, Any] = {
            "l1_regularization": number(config.regularization.l1, dtypes.float32),
            "l2_regularization": number(config.regularization.l2, dtypes.float32),
            "tree_complexity_regularization": number(config.regularization.tree_complexity, dtypes.float32),
            "min_node_weight": number(config.constraints.min_node_weight, dtypes.float32),
            "loss_uses_sum_reduction": number(self._loss_reduction == Reduction.SUM),
            "gradient_shape": self._gradient_shape, "hessian_shape": self._hessian_shape,
            "init_stamp_token": stamp,
        }  # fmt: skip
        learner: dict[str, Any] = {"weak_learner_type": number(config.weak_learner_type)}
        sketch: dict[str, Any] = {"num_quantiles": self._num_quantiles, "epsilon": 1.0 / self._num_quantiles}
        common["multiclass_strategy"] = number(self._strategy)
        floats = [SparseTensor(*parts) for parts in zip(*columns[2:5], strict=True)]
        ints = [SparseTensor(*parts) for parts in zip(*columns[5:], strict=True)]
        names = iter(columns.names)
        found: list[Any] = []
        for i, column in enumerate(columns.dense_floats):
            place: dict[str, Any] = {"feature_column_group_id": number(i), "name": next(names)}
            found.append(DenseSplitHandler(column, **place, **common, **learner, **sketch))
        for i, column in enumerate(floats):
            place = {"feature_column_group_id": number(i), "name": next(names)}
            found.append(SparseSplitHandler(column, **place, **common, **sketch))
        for i, column in enumerate(ints):
            place = {"feature_column_group_id": number(i), "name": next(names)}
            found.append(EqualitySplitHandler(column, **place, **common, **learner))
        return found

    def _active(self, predictions_dict: dict[str, Any], count: int) -> list[Any]:
        """For each handler whether it may split this layer, and the next one."""
        config = self._learner_config
        kind = config.WhichOneof("feature_fraction")
        if kind == "feature_fraction_per_level":
            seed = predictions_dict[NUM_LAYERS_ATTEMPTED]
            draws = [stateless_random_uniform(shape=[count], seed=[at, 1]) for at in (seed, seed + 1)]
            active = joining.stack(draws, axis=1) < config.feature_fraction_per_level
        elif kind == "feature_fraction_per_tree":
            seed = predictions_dict[NUM_TREES_ATTEMPTED]
            draw = stateless_random_uniform(shape=[count], seed=[seed, 2]) < config.feature_fraction_per_tree
            active = joining.stack([draw, constants.ones([count], dtype=dtypes.bool)], axis=1)
        else:
            active = constants.ones([count, 2], dtype=dtypes.bool)
        most = config.constraints.max_number_of_unique_feature_columns
        if most:

            def only_used() -> Any:
                used = arrays.reshape(predictions_dict[USED_HANDLERS_MASK], [-1, 1])
                return comparison.logical_and(joining.concat([used, used], axis=1), active)

            active = cond(predictions_dict[NUM_USED_HANDLERS] >= most, only_used, lambda: active)
        return joining.unstack(active, axis=0)

    def update_stats(
        self, loss: Any, predictions_dict: dict[str, Any], gradients: Any = None, hessians: Any = None
    ) -> tuple[list[Any], Any, GBDTTrainingState]:
        """Ops that add a batch, the op that begins anew without a tree, and what training keeps.

        Raises:
          ValueError: Hessians are given where there are several logits.
        """
        worker_device = self._inputs()[0].device
        predictions, stamp = predictions_dict[PREDICTIONS], predictions_dict[ENSEMBLE_STAMP]
        if gradients is None:
            gradients = gradients_of(loss, predictions, name="Gradients")[0]
        given, count = hessians, self._logits_dimension
        if given is not None and (count != 1 or self._strategy != self._kinds.TREE_PER_CLASS):
            raise ValueError("Providing hessians is not yet supported here.")
        class_id = self._class_id(predictions_dict)
        is_full = self._strategy == self._kinds.FULL_HESSIAN
        if given is None:
            hessians = hessians_of(gradients, predictions, count, is_full, self._strategy)
        g, h = class_columns(gradients, hessians, class_id, count, self._strategy)
        weights = weights_of(self._hessian_shape, h)
        with device(self._device_setter(worker_device)):
            handlers = self._handlers()
            counts: list[Any] = [
                _count(name)
                for name in ("num_layer_examples", "num_layer_steps", "num_layers", "active_tree", "active_layer")
            ]
            centering = VariableV1(self._center_bias, name="continue_centering", trainable=False)
            bias = StatsAccumulator(0, self._gradient_shape, self._hessian_shape, name="BiasAccumulator")
            steps = StatsAccumulator(0, TensorShape([]), TensorShape([]), name="StepsAccumulator")
        for name, value in zip(
            ("layer_stats/num_examples", "layer_stats/num_steps", "ensemble_stats/active_tree",
             "ensemble_stats/active_layer"),
            (counts[0], counts[1], counts[3], counts[4]), strict=True,
        ):  # fmt: skip
            summaries.scalar(name, value)
        add_bias = self._bias_adder(stamp, predictions, gradients, bias, hessians)
        updates: list[Any] = [cond(centering, add_bias, control.no_op)]
        read = run_handler_scheduled_ops({each: each.scheduled_reads() for each in handlers}, stamp, worker_device)
        empty_g, empty_h = (
            constants.zeros([1, *shape.as_list()]) for shape in (self._gradient_shape, self._hessian_shape)
        )
        active, scheduled = self._active(predictions_dict, len(handlers)), {}
        for handler, is_active in zip(handlers, active, strict=True):
            first, scheduled[handler] = handler.update_stats(
                stamp, predictions_dict[PARTITION_IDS], g, h, empty_g, empty_h, weights, is_active, read[handler]
            )
            updates.append(first)
        for results in run_handler_scheduled_ops(scheduled, stamp, worker_device).values():
            updates += results
        state = GBDTTrainingState._make([*counts, centering, bias, steps, handlers])
        return updates, self._reset(state) if self._is_chief else control.no_op(), state

    def _reset(self, state: GBDTTrainingState) -> Any:
        """Begin anew, without a tree, under the next stamp."""
        stamp, _ = apply(trees.SERIALIZE, self._ensemble_handle)
        following = stamp + 1
        resets: list[Any] = [handler.reset(stamp, following) for handler in state.handlers]
        if self._center_bias:
            resets.append(state.bias_stats_accumulator.flush(stamp, following))
        resets.append(state.steps_accumulator.flush(stamp, following))
        resets += [self._finalized_trees.assign(0).op, self._attempted_trees.assign(0).op]
        resets.append(apply_op(trees.DESERIALIZE, self._ensemble_handle, following, "", name="reset_gbdt"))
        return control.group(resets)

    def increment_step_counter_and_maybe_update_ensemble(
        self, predictions_dict: dict[str, Any], training_state: GBDTTrainingState
    ) -> Any:
        """The op that counts the batch, and lets the ensemble grow if there were enough examples."""
        size = casts.cast(arrays.shape(predictions_dict[PREDICTIONS])[0], dtypes.float32)
        stamp, state = predictions_dict[ENSEMBLE_STAMP], training_state
        counted = state.steps_accumulator.add(stamp, [0], [[0, 0]], [size], [1.0])
        updates: list[Any] = [counted]
        class_id = self._class_id(predictions_dict)
        with control_dependencies([counted]):
            if self._is_chief:
                *_, examples, steps = state.steps_accumulator.saveable.serialize()
                examples, steps = (casts.cast(x[0], dtypes.int64) for x in (examples, steps))
                updates += [state.num_layer_examples.assign(examples), state.num_layer_steps.assign(steps)]
                enough = self._examples_per_layer
                enough = enough(state.active_layer) if callable(enough) else enough
                grow = self.make_update_ensemble_fn(stamp, state, predictions_dict[NUM_TREES_ATTEMPTED], class_id)
                updates.append(cond(examples >= enough, grow, control.no_op))
        return control.group(*updates)

    def make_update_ensemble_fn(
        self, ensemble_stamp: Any, training_state: GBDTTrainingState, dropout_seed: Any, class_id: Any
    ) -> Callable[[], Any]:
        """The function that builds the op by which the ensemble grows, or its bias moves.

        Raises:
          ValueError: the learning rate is to be searched for, which TensorFlow does not do either.
        """
        tuner = self._learner_config.learning_rate_tuner
        kind = tuner.WhichOneof("tuner")
        if kind not in ("fixed", "dropout"):
            raise ValueError("Line search learning rate is not yet supported.")
        rate, state = getattr(tuner, kind).learning_rate, training_state

        def update() -> Any:
            following = ensemble_stamp + 1
            *_, bias_g, bias_h = state.bias_stats_accumulator.flush(ensemble_stamp, following)
            made = [handler.make_splits(ensemble_stamp, following, class_id) for handler in state.handlers]
            are_ready, *lists = (list(column) for column in zip(*made, strict=True))
            sizes = arrays.reshape(arrays.shape_n(lists[0]), [len(made)])
            ids, gains, splits = (joining.concat(column, axis=0) for column in lists)
            all_ready = reduce_all(joining.stack(are_ready, axis=0, name="stack_handler_readiness"))

            def grown(learning_rate: Any, *columns: Any) -> Any:
                return apply_op(
                    growth.GROW, self._ensemble_handle, ensemble_stamp, following, learning_rate, dropout_seed,
                    self._max_tree_depth, self._learner_config.weak_learner_type, *columns,
                    learner_config=self._serialized, center_bias=self._center_bias,
                )  # fmt: skip

            def grow_ready() -> Any:
                of_each = joining.unstack(sizes, num=len(made))
                of_splits = len(made) if self._is_oblivious else of_each  # one for a whole layer
                found = zip((ids, gains, splits), (of_each, of_splits, of_splits), strict=True)
                return grown(rate, *[list(joining.split(column, each, axis=0)) for column, each in found])

            def grow() -> Any:
                return cond(all_ready, grow_ready, lambda: grown(0.0, [], [], []))

            def center() -> Any:
                step = comparison.where(bias_h > 0, -bias_g / bias_h, constants.zeros_like(bias_g))
                goes_on = apply(
                    trees.CENTER, self._ensemble_handle, ensemble_stamp, following, step,
                    learner_config=self._serialized,
                )  # fmt: skip
                return state.continue_centering.assign(goes_on)

            grows = cond(state.continue_centering, center, grow) if self._center_bias else grow()
            with control_dependencies([grows]):
                stats = apply_named(trees.STATS, self._ensemble_handle, following)
                writes = [
                    self._finalized_trees.assign(stats.num_trees), self._attempted_trees.assign(stats.attempted_trees),
                    state.num_layers.assign(stats.num_layers), state.active_tree.assign(stats.active_tree),
                    state.active_layer.assign(stats.active_layer),
                ]  # fmt: skip
            flushed = state.steps_accumulator.flush(ensemble_stamp, following)
            return control.group(all_ready, grows, *writes, *flushed, name="update_ensemble")

        return update

    def get_number_of_trees_tensor(self) -> tuple[Any, Any]:
        """How many trees are whole, and how many were tried."""
        return self._finalized_trees, self._attempted_trees

    def get_max_tree_depth(self) -> Any:
        """How deep trees may be, a variable."""
        return self._max_tree_depth

    def train(
        self, loss: Any, predictions_dict: dict[str, Any], labels: Any, gradients: Any = None, hessians: Any = None
    ) -> Any:
        """The op of a step of training.

        Args:
          loss: a number, of which the derivatives are taken that are not given.
          predictions_dict: what ``predict`` gave.
          labels: not read.
        """
        updates, _, state = self.update_stats(loss, predictions_dict, gradients, hessians)
        with control_dependencies(updates):
            return self.increment_step_counter_and_maybe_update_ensemble(predictions_dict, state)

    def _device_setter(self, worker_device: Any) -> Any:
        handles = [f"{name}ResourceHandleOp" for name in _KEPT]
        ps_ops = [*STANDARD_PS_OPS, *handles]
        return replica_device_setter(
            worker_device=worker_device, ps_tasks=self._num_ps_replicas, merge_devices=True, ps_ops=ps_ops,
            ps_strategy=_RoundRobin(ps_ops, self._num_ps_replicas),
        )  # fmt: skip

    def _bias_adder(
        self, stamp: Any, predictions: Any, gradients: Any, accumulator: StatsAccumulator, hessians: Any
    ) -> Callable[[], Any]:
        def add() -> Any:
            g, h = reduce_sum(gradients, 0), reduce_sum(as_tensor(hessians), 0)
            count = self._logits_dimension
            features = constants.zeros([count, 2], dtype=dtypes.int64)
            added = accumulator.add(stamp, constants.range_(count), features, g, h)
            return control.group(added, name="update_bias_stats")

        return add


_KEPT = ("DecisionTreeEnsemble", "StatsAccumulatorScalar", "StatsAccumulatorTensor")
