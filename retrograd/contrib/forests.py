"""``tf.contrib.tensor_forest``: graphs that train random forests on batches and predict with them.

The trees are independent; what a forest predicts is the mean of what they predict.  Source: TensorFlow 1.15.5,
``contrib/tensor_forest/python/tensor_forest.py``: hyperparameters, names, order of nodes.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

from retrograd.files.messages import message
from retrograd.graph import dtypes, log
from retrograd.graph.apply import apply, apply_op
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import add_to_collection, control_dependencies, device, name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.io.saveables import SaveableObject, SaveSpec
from retrograd.nn.contrib.model_variables import VariableDeviceChooser
from retrograd.ops import arithmetic, arrays, casts, comparison, constants, control, forests, joining, slicing
from retrograd.ops.indexing import gather
from retrograd.ops.random import random_uniform
from retrograd.ops.reductions import reduce_mean, reduce_sum
from retrograd.state.initialization import local_variables
from retrograd.state.registered import register_resource
from retrograd.state.scopes import get_variable

_LEAVES = {"all_dense": 0, "all_sparse": 1, "sparse_then_dense": 3}  # they differ in memory, not in results
_REGRESSION = 2
_TESTS = {"less_or_equal": 0, "less": 1}


class ForestHParams:
    """How many trees of how many nodes grow, and when a leaf is split.

    Args:
      num_trees, max_nodes: a tree stops growing when it has as many nodes.
      bagging_fraction, feature_bagging_fraction: which share of the examples and of the features a tree sees.
      num_splits_to_consider: how many candidates a leaf draws; by default sqrt(features), at least 10.
      split_after_samples: after how many examples a leaf is split.
      split_name: "less_or_equal" or "less".
      kwargs: ``num_classes`` and ``num_features``, which there must be; ``regression``, ``base_random_seed``.
    """

    num_classes: int
    num_features: int

    def __init__(
        self, num_trees: int = 100, max_nodes: int = 10000, bagging_fraction: float = 1.0,
        num_splits_to_consider: int = 0, feature_bagging_fraction: float = 1.0, max_fertile_nodes: int = 0,
        split_after_samples: Any = 250, valid_leaf_threshold: int = 1, dominate_method: str = "bootstrap",
        dominate_fraction: float = 0.99, model_name: str = "all_dense", split_finish_name: str = "basic",
        split_pruning_name: str = "none", prune_every_samples: int = 0, early_finish_check_every_samples: int = 0,
        collate_examples: bool = False, checkpoint_stats: bool = False, use_running_stats_method: bool = False,
        initialize_average_splits: bool = False, inference_tree_paths: bool = False, param_file: Any = None,
        split_name: str = "less_or_equal", **kwargs: Any,
    ) -> None:  # fmt: skip
        given = dict(locals())
        for name in ("self", "kwargs", "__class__"):
            given.pop(name, None)
        self.__dict__.update(given, **kwargs)

    def values(self) -> dict[str, Any]:
        """All of them."""
        return self.__dict__

    def fill(self) -> ForestHParams:
        """Work out what follows from the others.

        Raises:
          AttributeError: ``num_classes`` or ``num_features`` is missing.
          NotImplementedError: leaves shall be split before they are full, or candidates dropped.
        """
        p: Any = self
        classes, features = p.num_classes, p.num_features
        p.bagged_num_features = int(p.feature_bagging_fraction * features)
        p.bagged_features = None
        if p.feature_bagging_fraction < 1.0:
            p.bagged_features = [random.sample(range(features), p.bagged_num_features) for _ in range(p.num_trees)]
        p.regression = getattr(p, "regression", False)
        p.num_outputs = classes if p.regression else 1
        p.num_output_columns = classes + 1
        p.num_splits_to_consider = p.num_splits_to_consider or min(max(10, math.floor(math.sqrt(features))), 1000)
        p.base_random_seed = getattr(p, "base_random_seed", 0)
        p.leaf_model_type = _REGRESSION if p.regression else _LEAVES[p.model_name]
        p.stats_model_type = p.leaf_model_type
        if (p.split_finish_name != "basic" and not p.regression) or p.split_pruning_name != "none":
            error = NotImplementedError("leaves are split when they are full, by one of all of their candidates")
            error.add_note('  Fix:   split_finish_name="basic", split_pruning_name="none"')
            raise error
        p.finish_type = p.pruning_type = p.prune_every_samples = p.early_finish_check_every_samples = 0
        p.split_type = _TESTS[p.split_name]
        return self


def _set(param: Any, value: Any) -> None:
    """A number, or the text of a parameter that depends on the depth."""
    if isinstance(value, str) and not value.isdigit():
        from google.protobuf import text_format

        text_format.Merge(value, param)
    else:
        param.constant_value = float(value)


def build_params_proto(params: Any) -> Any:
    """The parameters as the ops take them."""
    proto = message("TensorForestParams")(
        num_trees=params.num_trees, max_nodes=params.max_nodes, is_regression=params.regression,
        num_outputs=params.num_classes, num_features=params.num_features, leaf_type=params.leaf_model_type,
        stats_type=params.stats_model_type, inequality_test_type=params.split_type,
        collate_examples=params.collate_examples, checkpoint_stats=params.checkpoint_stats,
        use_running_stats_method=params.use_running_stats_method,
        initialize_average_splits=params.initialize_average_splits, inference_tree_paths=params.inference_tree_paths,
    )  # fmt: skip
    _set(proto.pruning_type.prune_every_samples, params.prune_every_samples)
    _set(proto.finish_type.check_every_steps, params.early_finish_check_every_samples)
    _set(proto.split_after_samples, params.split_after_samples)
    _set(proto.num_splits_to_consider, params.num_splits_to_consider)
    proto.dominate_fraction.constant_value = params.dominate_fraction
    if params.param_file:
        from google.protobuf import text_format

        with open(params.param_file) as f:
            text_format.Merge(f.read(), proto)
    return proto


# -- what a session keeps ----------------------------------------------------------------------


class _Saved(SaveableObject):
    """A tree, or its leaves that may be split, in a checkpoint."""

    def __init__(
        self, handle: Tensor, create: Operation, serialized: Tensor, restored_by: Callable[[Any], Any]
    ) -> None:
        super().__init__(handle, [SaveSpec(serialized, "", handle.name)], handle.name)
        self._create, self._restored_by = create, restored_by

    def restore(self, restored_tensors: list[Any], restored_shapes: Any) -> Any:
        with control_dependencies([self._create]):
            return self._restored_by(restored_tensors[0])


def fertile_stats_variable(params: Any, stats_config: Any, name: str, container: Any = None) -> Tensor:
    """The handle of the leaves that may be split."""
    p = params.serialized_params_proto
    with name_scope(name, "FertileStatsVariable") as name:
        handle = apply(forests.STATS, container=container or "", shared_name=name, name=name)
        create = apply_op(forests.CREATE_STATS, handle, stats_config, params=p)
        is_there = apply(forests.IS_STATS, handle)
        data = apply(forests.SAVE_STATS, handle, params=p)
        saved = _Saved(handle, create, data, lambda x: apply_op(forests.RESTORE_STATS, handle, x, params=p))
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, saved)
        register_resource(handle, create, is_there)
    return handle  # type: ignore[no-any-return]


def tree_variable(params: Any, tree_config: Any, stats_handle: Any, name: str, container: Any = None) -> Tensor:
    """The handle of a tree."""
    p = params.serialized_params_proto
    with name_scope(name, "TreeVariable") as name:
        handle = apply(forests.TREE, container=container or "", shared_name=name, name=name)
        create = apply_op(forests.CREATE_TREE, handle, tree_config, params=p)
        is_there = apply(forests.IS_TREE, handle)
        data = apply(forests.SAVE_TREE, handle)
        saved = _Saved(handle, create, data, lambda x: apply_op(forests.RESTORE_TREE, handle, x, params=p))
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, saved)
        register_resource(handle, create, is_there)
    return handle  # type: ignore[no-any-return]


class TreeVariables:
    """What a session keeps of one tree."""

    def __init__(self, params: Any, tree_num: int, training: bool, tree_config: Any = "", tree_stat: Any = "") -> None:
        if not hasattr(params, "params_proto"):
            params.params_proto = build_params_proto(params)
        params.serialized_params_proto = params.params_proto.SerializeToString()
        self.stats = fertile_stats_variable(params, tree_stat, f"stats-{tree_num}") if training else None
        self.tree = tree_variable(params, tree_config, self.stats, f"tree-{tree_num}")


class ForestVariables:
    """What a session keeps of a forest."""

    def __init__(
        self, params: Any, device_assigner: Any, training: bool = True, tree_variables_class: Any = TreeVariables,
        tree_configs: Any = None, tree_stats: Any = None,
    ) -> None:  # fmt: skip
        with device(device_assigner):
            self.device_dummies = [get_variable(name=f"device_dummy_{i}", shape=0) for i in range(params.num_trees)]
        self.variables = []
        for i, dummy in enumerate(self.device_dummies):
            given = {"tree_config": tree_configs[i]} if tree_configs is not None else {}
            if tree_stats is not None:
                given["tree_stat"] = tree_stats[i]
            with device(dummy.device):
                self.variables.append(tree_variables_class(params, i, training, **given))

    def __setitem__(self, t: int, val: Any) -> None:
        self.variables[t] = val

    def __getitem__(self, t: int) -> Any:
        return self.variables[t]


# -- input -------------------------------------------------------------------------------------

_KINDS = {dtypes.int32: 1, dtypes.int64: 1, dtypes.float32: 0, dtypes.float64: 0}


class DataSpec:
    """Which columns the examples have."""

    def __init__(self) -> None:
        self.dense: list[tuple[str, int, int]] = []
        self.dense_features_size = 0

    def SerializeToString(self) -> str:
        """As the ops take it."""
        columns = "".join(f"{{name: {n} original_type: {t} size: {s}}}" for n, t, s in self.dense)
        return f"dense_features_size: {self.dense_features_size} dense: [{columns}] sparse: []"


def _dense_features(data: Any) -> tuple[Tensor, DataSpec]:
    """The examples as a matrix of numbers, and its columns."""
    spec = DataSpec()
    if not isinstance(data, dict):
        data = data if isinstance(data, SparseTensor) else as_tensor(data)
        _refuse(data)
        spec.dense = [("dense_features", _KINDS[data.dtype.base_dtype], data.get_shape().as_list()[1])]
        spec.dense_features_size = spec.dense[0][2]
        return data, spec
    parts: list[Tensor] = []
    for key in sorted(data):
        _refuse(data[key])
        dims = data[key].get_shape().as_list()
        name = key if isinstance(key, str) else getattr(key, "column_name", str(len(parts)))
        spec.dense.append((name, _KINDS[data[key].dtype.base_dtype], 1 if len(dims) == 1 else dims[1]))
        parts.append(casts.cast(data[key], dtypes.float32))
    spec.dense_features_size = sum(size for *_, size in spec.dense)
    log.info("%s", spec.SerializeToString())
    return joining.concat(parts, 1), spec


def _refuse(x: Any) -> None:
    if isinstance(x, SparseTensor) or x.dtype.base_dtype == dtypes.string:
        error = NotImplementedError("a forest reads dense features that are numbers")
        error.add_note("  Fix:   tf.sparse.to_dense(...), or a table that makes words numbers")
        raise error


def _numbers(labels: Any) -> Tensor:
    if isinstance(labels, dict):
        labels = joining.concat([labels[key] for key in sorted(labels)], 1)
    return casts.cast(labels, dtypes.float32)  # type: ignore[no-any-return]


def get_epoch_variable() -> Any:
    """The counter of a ``limit_epochs``, or 0."""
    for variable in local_variables():
        if "limit_epochs/epoch" in variable.op.name:
            return arrays.reshape(variable, [1])
    return [0]


# -- graphs ------------------------------------------------------------------------------------


class RandomTreeGraphs:
    """The graphs of one tree."""

    def __init__(self, variables: Any, params: Any, tree_num: int) -> None:
        self.variables, self.params, self.tree_num = variables, params, tree_num

    def training_graph(
        self, input_data: Any, input_labels: Any, random_seed: int, data_spec: Any, sparse_features: Any = None,
        input_weights: Any = None,
    ) -> Operation:  # fmt: skip
        """The op that shows the tree a batch, and splits what is full."""
        casts.cast(get_epoch_variable(), dtypes.int32)
        tree, stats, p = self.variables.tree, self.variables.stats, self.params.serialized_params_proto
        weights = [] if input_weights is None else input_weights
        read = {"input_spec": data_spec.SerializeToString(), "params": p}
        leaves = apply(forests.TRAVERSE, tree, input_data, [], [], [], **read)
        update = apply_op(forests.UPDATE, tree, leaves, input_labels, weights, params=p)
        finished = apply(
            forests.PROCESS, tree, stats, input_data, [], [], [], input_labels, weights, leaves,
            random_seed=random_seed, **read,
        )  # fmt: skip
        with control_dependencies([update]):
            return apply_op(forests.GROW, tree, stats, finished, params=p)  # type: ignore[no-any-return]

    def inference_graph(self, input_data: Any, data_spec: Any, sparse_features: Any = None) -> Any:
        """(what the tree predicts, its paths)."""
        return apply(
            forests.PREDICT, self.variables.tree, input_data, [], [], [], input_spec=data_spec.SerializeToString(),
            params=self.params.serialized_params_proto,
        )  # fmt: skip

    def size(self) -> Tensor:
        """How many nodes it has."""
        return apply(forests.SIZE, self.variables.tree)  # type: ignore[no-any-return]

    def feature_usage_counts(self) -> Tensor:
        """How many nodes ask for each feature."""
        return apply(forests.USAGE, self.variables.tree, params=self.params.serialized_params_proto)  # type: ignore[no-any-return]


class RandomForestGraphs:
    """The graphs of a forest."""

    def __init__(
        self, params: Any, tree_configs: Any = None, tree_stats: Any = None, device_assigner: Any = None,
        variables: Any = None, tree_variables_class: Any = TreeVariables, tree_graphs: Any = None,
        training: bool = True,
    ) -> None:  # fmt: skip
        self.params = params
        self.device_assigner = device_assigner or VariableDeviceChooser()
        log.info("Constructing forest with params = ")
        log.info("%s", params.__dict__)
        self.variables = variables or ForestVariables(
            params, device_assigner=self.device_assigner, training=training,
            tree_variables_class=tree_variables_class, tree_configs=tree_configs, tree_stats=tree_stats,
        )  # fmt: skip
        make = tree_graphs or RandomTreeGraphs
        self.trees = [make(self.variables[i], params, i) for i in range(params.num_trees)]

    def _on_device(self, i: int) -> Any:
        return device(self.variables.device_dummies[i].device)

    def _bag_features(self, tree_num: int, data: Tensor) -> Tensor:
        columns = joining.split(value=data, num_or_size_splits=self.params.num_features, axis=1)
        return joining.concat([columns[i] for i in self.params.bagged_features[tree_num]], 1)

    def get_all_resource_handles(self) -> list[Tensor]:
        """The handles of all trees, and of their leaves."""
        kept = [self.variables[i] for i in range(len(self.trees))]
        return [v.tree for v in kept] + [v.stats for v in kept]

    def training_graph(
        self, input_data: Any, input_labels: Any, num_trainers: int = 1, trainer_id: int = 0, **tree_kwargs: Any
    ) -> Operation:
        """The op that shows every tree a batch; labels are class numbers, or numbers."""
        features, spec = _dense_features(input_data)
        labels = _numbers(input_labels)
        share = self.params.num_trees / num_trainers
        steps = []
        for i in range(int(trainer_id * share), int((trainer_id + 1) * share)):
            with self._on_device(i):
                seed = self.params.base_random_seed
                seed = seed + i if seed != 0 else 0
                data, wanted = features, labels
                if self.params.bagging_fraction < 1.0:
                    data, wanted = self._some(features, labels, seed)
                if self.params.bagged_features:
                    data = self._bag_features(i, data)
                steps.append(self.trees[i].training_graph(data, wanted, seed, data_spec=spec, **tree_kwargs))
        return control.group(*steps, name="train")

    def _some(self, features: Tensor, labels: Tensor, seed: int) -> tuple[Tensor, Tensor]:
        """A random share of the examples."""
        size = slicing.strided_slice(arrays.shape(features), [0], [1])
        r = random_uniform(size, seed=seed)
        mask = comparison.less(r, constants.ones_like(r) * self.params.bagging_fraction)
        rows = arrays.squeeze(comparison.where_v2(mask), axis=[1])
        return gather(features, rows), gather(labels, rows)

    def inference_graph(self, input_data: Any, **inference_args: Any) -> tuple[Tensor, Tensor, Tensor]:
        """(the mean of what the trees predict, the paths, the variance of what they predict)."""
        features, spec = _dense_features(input_data)
        predicted, paths = [], []
        for i in range(self.params.num_trees):
            with self._on_device(i):
                data = self._bag_features(i, features) if self.params.bagged_features else features
                values, path = self.trees[i].inference_graph(data, spec, **inference_args)
                predicted.append(values)
                paths.append(path)
        with self._on_device(0):
            every, count = joining.stack(predicted, axis=1), self.params.num_trees
            mean = arithmetic.div(reduce_sum(every, 1), count, name="probabilities")
            all_paths = joining.stack(paths, axis=1)
            squares = arithmetic.div(reduce_sum(every * every, 1), count)
            return mean, all_paths, arithmetic.maximum(0.0, squares - mean * mean)

    def average_size(self) -> Tensor:
        """How many nodes a tree has on average."""
        sizes = []
        for i in range(self.params.num_trees):
            with self._on_device(i):
                sizes.append(self.trees[i].size())
        return reduce_mean(casts.cast(joining.stack(sizes), dtypes.float32))

    def training_loss(self, features: Any, labels: Any, name: str = "training_loss") -> Tensor:
        """The smaller, the larger the trees are."""
        return arithmetic.negative(self.average_size(), name=name)  # type: ignore[no-any-return]

    def validation_loss(self, features: Any, labels: Any) -> Tensor:
        """The same."""
        return arithmetic.negative(self.average_size())  # type: ignore[no-any-return]

    def feature_importances(self) -> Tensor:
        """The share of each feature among the questions of all trees."""
        counts = [self.trees[i].feature_usage_counts() for i in range(self.params.num_trees)]
        total = reduce_sum(joining.stack(counts, 0), 0)
        return total / reduce_sum(total)  # type: ignore[no-any-return]
