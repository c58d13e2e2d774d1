"""A ``model_fn`` that is built once for each of several devices, on a part of the batch each.

The variables are those of the first copy ("tower"); gradients are added up when the last is built, losses, metrics and
predictions are put together.  Source: ``tensorflow_estimator`` 1.15.1, ``contrib/estimator``: order of ops, names,
messages.
"""

from __future__ import annotations

import copy
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from retrograd.estimator.export_outputs import ClassificationOutput, PredictOutput, RegressionOutput
from retrograd.estimator.specs import EstimatorSpec, ModeKeys, fn_args
from retrograd.graph import log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.devices import DeviceSpec
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies, device, get_collection, get_collection_ref, name_scope
from retrograd.graph.sparse import IndexedSlices, SparseTensor
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.nn.losses import Reduction
from retrograd.ops import arithmetic, arrays, clipping, constants, control, joining, sparse_joining, state
from retrograd.ops.sums import add_n
from retrograd.run.devices import list_local_devices
from retrograd.state.scopes import VariableScope, variable_scope
from retrograd.train.optimizer import Optimizer
from retrograd.train.wrapping import WrappingOptimizer

# -- the optimizer of all towers -----------------------------------------------------------------


class _Towers:
    """What the towers of a graph have in common while they are built."""

    def __init__(self) -> None:
        self.gradients: dict[int, list[list[tuple[Any, Any]]]] = defaultdict(list)
        self.index, self.count = 0, 1
        self.loss_reduction: Any = None
        self.optimizer_used = False
        self.first_scopes: tuple[VariableScope | None, str | None] = (None, None)

    @contextmanager
    def tower(self, index: int, scope: VariableScope, names: str) -> Iterator[None]:
        """While a tower is built."""
        if not index:
            self.first_scopes = (scope, names)
        self.index = index
        yield

    def latest(self) -> list[tuple[Any, Any]]:
        """The gradients of all towers that belong to the last call of this one."""
        call = len(self.gradients[self.index]) - 1
        return [pair for index in range(self.index + 1) for pair in self.gradients[index][call]]


def _towers() -> _Towers:
    found = get_collection_ref(TowerOptimizer.COLLECTION_FOR_GRAPH_STATES)
    if not found:
        found.append(_Towers())
    towers: _Towers = found[-1]
    return towers


class TowerOptimizer(Optimizer):
    """An optimizer, or a function that makes it, for a ``model_fn`` that ``replicate_model_fn`` builds.

    Each tower collects its gradients; the last applies their sums.
    """

    COLLECTION_FOR_GRAPH_STATES = "replicate_model_fn_graph_states"

    def __init__(self, optimizer_or_optimizer_fn: Any) -> None:
        self._optimizer_or_optimizer_fn = optimizer_or_optimizer_fn

    @staticmethod
    def has_been_used() -> bool:
        """Whether a tower has called one."""
        return _towers().optimizer_used

    def _get_optimizer(self) -> Any:
        if callable(self._optimizer_or_optimizer_fn):
            self._optimizer_or_optimizer_fn = self._optimizer_or_optimizer_fn()
        _towers().optimizer_used = True
        return self._optimizer_or_optimizer_fn

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """The optimizer's."""
        return self._get_optimizer().get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """The optimizer's."""
        return self._get_optimizer().get_slot_names(*args, **kwargs)

    def get_name(self, *args: Any, **kwargs: Any) -> Any:
        """The optimizer's."""
        return self._get_optimizer().get_name(*args, **kwargs)

    def variables(self, *args: Any, **kwargs: Any) -> Any:
        """The optimizer's."""
        return self._get_optimizer().variables(*args, **kwargs)

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Any:
        """The optimizer's, of the loss over the number of towers unless losses are sums."""
        towers = _towers()
        loss = _scaled(loss, towers.loss_reduction, towers.count)
        return self._get_optimizer().compute_gradients(loss, *args, **kwargs)

    def apply_gradients(  # type: ignore[override]
        self, grads_and_vars: Any, global_step: Any = None, **kwargs: Any
    ) -> Any:
        """Collect the gradients; in the last tower, an op that applies the sums of all."""
        towers = _towers()
        if towers.count == 1:
            return self._get_optimizer().apply_gradients(grads_and_vars, global_step, **kwargs)
        pairs = list(grads_and_vars)
        towers.gradients[towers.index].append(pairs)
        if towers.index < towers.count - 1:
            values = [g.values if isinstance(g, IndexedSlices) else g for g, _ in pairs if g is not None]
            with control_dependencies(values):
                return control.no_op(name="train_op_placeholder")
        scope, names = towers.first_scopes
        with variable_scope(scope), name_scope(names):
            by_variable: dict[Any, list[Any]] = {}
            optimizer = self._get_optimizer()
            for gradient, variable in towers.latest():
                if gradient is not None:
                    by_variable.setdefault(variable, []).append(gradient)
            with name_scope("gradient_aggregating"):
                sums = [(_summed(gradients, v.device), v) for v, gradients in by_variable.items()]
            return optimizer.apply_gradients(sums, global_step=global_step, **kwargs)


def _summed(values: list[Any], place: Any, name: str | None = None) -> Any:
    with device(place):
        if isinstance(values[0], IndexedSlices):
            rows = joining.concat([v.values for v in values], axis=0)
            return IndexedSlices(rows, joining.concat([v.indices for v in values], axis=0), values[0].dense_shape)
        return add_n(values, name=name)


def _scaled(loss: Any, loss_reduction: Any, count: int) -> Any:
    if loss is None or count == 1 or loss_reduction == Reduction.SUM:
        return loss
    return arithmetic.div(loss, 1.0 * count, name="averaged_loss")


# -- the model of all towers ---------------------------------------------------------------------


def replicate_model_fn(
    model_fn: Callable[..., EstimatorSpec],
    loss_reduction: Any = Reduction.SUM_BY_NONZERO_WEIGHTS,
    devices: Sequence[str] | None = None,
) -> Callable[..., EstimatorSpec]:
    """The ``model_fn`` that builds another one for each device, on a part of the batch each.

    Args:
      model_fn: wraps its optimizer with ``TowerOptimizer``.
      loss_reduction: how losses are sums over examples; those of the towers are added up, or averaged.
      devices: by default the graphics processors, or else the processor.

    Raises:
      ValueError: losses are not reduced.
    """
    if loss_reduction == Reduction.NONE:
        raise ValueError(f"Tower losses need to be reduced in some way, yet {loss_reduction} reduction is specified.")
    places = list(devices or [d.name for d in list_local_devices()])
    together = places[0] if len(places) == 1 and "GPU" in places[0].upper() else "/CPU:0"
    log.info(
        "Replicating the `model_fn` across %s.  Variables are going to be placed on %s.  Consolidation device is going "
        "to be %s.", places, [together], together,
    )  # fmt: skip

    def single_device_model_fn(
        features: Any, labels: Any, mode: str, params: Any = None, config: Any = None
    ) -> EstimatorSpec:
        return _built(model_fn, mode, [features], [labels], params, config, places, together, loss_reduction)[0]

    def replicated_model_fn(features: Any, labels: Any, mode: str, params: Any = None, config: Any = None) -> Any:
        parts = _split_batch(features, labels, len(places), together)
        specs = _built(model_fn, mode, *parts, params, config, places, together, loss_reduction)
        whole = {ModeKeys.TRAIN: _trained, ModeKeys.EVAL: _evaluated, ModeKeys.PREDICT: _predicted}.get(mode)
        return whole(specs, together) if whole else None

    return single_device_model_fn if len(places) == 1 else replicated_model_fn


def _split_batch(features: Any, labels: Any, count: int, place: str) -> tuple[list[Any], list[Any] | None]:
    def parts(tensor: Any) -> list[Any]:
        size = as_tensor(tensor).shape[0]
        if size % count != 0:
            raise ValueError(f"Batch size {size} needs to be divisible by the number of GPUs, which is {count}.")
        return list(joining.split(tensor, count))

    def split(tensors: Any) -> list[Any]:
        if not isinstance(tensors, dict):
            return parts(tensors)
        shards: list[dict[str, Any]] = [{} for _ in range(count)]
        for name, tensor in tensors.items():
            is_sparse = isinstance(tensor, SparseTensor)
            made = sparse_joining.sparse_split(sp_input=tensor, num_split=count, axis=0) if is_sparse else parts(tensor)
            for shard, part in zip(shards, made, strict=True):
                shard[name] = part
        return shards

    with name_scope("split_inputs"), device(place):
        return split(features), None if labels is None else split(labels)


def _built(
    model_fn: Callable[..., EstimatorSpec], mode: str, features: Any, labels: Any, params: Any, config: Any,
    places: list[str], together: str, loss_reduction: Any,
) -> list[EstimatorSpec]:  # fmt: skip
    """What the model function gives for each part."""
    takes = fn_args(model_fn)
    given = {key: copy.deepcopy(value) for key, value in (("params", params), ("config", config)) if key in takes}
    towers = _towers()
    towers.loss_reduction, towers.count = loss_reduction, len(places)
    specs = []
    for i, place in enumerate(places):
        with (
            variable_scope("", reuse=bool(i)) as scope,
            name_scope(f"tower_{i}" if i else "") as names,
            towers.tower(i, scope, names),
            device(_variables_together(place, together)),
        ):
            spec = model_fn(mode=mode, features=features[i], labels=labels[i] if labels else None, **given)
            if spec.train_op is not None and len(places) > 1 and not towers.optimizer_used:
                raise ValueError(
                    "Please wrap optimizers with TowerOptimizer in order to use replicate_model_fn with multiple "
                    "`devices`."
                )
            if spec.loss is not None:
                spec = spec._replace(loss=_scaled(spec.loss, loss_reduction, len(places)))
            specs.append(spec)
    if sum(map(len, towers.gradients.values())) % towers.count:
        raise ValueError("Each invocation of model_fn was supposed to make the same optimizer calls.")
    default_graph().clear_collection(TowerOptimizer.COLLECTION_FOR_GRAPH_STATES)
    return specs


def _variables_together(worker: str, together: str) -> Callable[[Any], str]:
    """A device function: variables are in one place, all else where the tower is."""

    def device_of(op: Any) -> str:
        is_variable = op.type in ("Variable", "VariableV2", "VarHandleOp")
        spec = DeviceSpec.from_string(together if is_variable else worker or "")
        return spec.make_merged_spec(DeviceSpec.from_string(op.device or "")).to_string()

    return device_of


def _trained(specs: list[EstimatorSpec], place: str) -> EstimatorSpec:
    loss = _summed([spec.loss for spec in specs], place, "loss")
    return specs[-1]._replace(mode=ModeKeys.TRAIN, train_op=specs[-1].train_op, loss=loss)


def _evaluated(specs: list[EstimatorSpec], place: str) -> EstimatorSpec:
    loss = _summed([spec.loss for spec in specs], place, "loss")
    updates = [update for spec in specs for _, update in spec.eval_metric_ops.values()]
    with control_dependencies(updates):
        reduced = _metrics_added_up(len(specs))
    metrics = {name: (value, reduced) for name, (value, _) in specs[0].eval_metric_ops.items()}
    return specs[0]._replace(mode=ModeKeys.EVAL, loss=loss, eval_metric_ops=metrics)


def _metrics_added_up(count: int) -> Operation:
    """Add the variables of the metrics of all towers to those of the first, and make them 0."""
    variables = get_collection(GraphKeys.METRIC_VARIABLES)
    each = len(variables) // count
    if len(variables) % count:
        raise ValueError(
            "Different `EstimatorSpec.eval_metric_ops` across `model_fn()` calls. Expected "
            f"{each * count} local variables, but got {len(variables)} instead."
        )
    cleared = []
    for i in range(each):
        others = variables[i + each :: each]
        total = state.assign_add(variables[i], add_n(others))
        with control_dependencies([total]):
            for other in others:
                zeros = constants.zeros(arrays.shape(other), dtype=other.dtype)
                cleared.append(state.assign(other, zeros))
    return control.group(*cleared)


def _predicted(specs: list[EstimatorSpec], place: str) -> EstimatorSpec:
    with device(place):
        predictions = _joined([spec.predictions for spec in specs])
        outputs = {name: _output(each) for name, each in _by_name([s.export_outputs for s in specs]).items()}
    return specs[0]._replace(mode=ModeKeys.PREDICT, predictions=predictions, export_outputs=outputs)


def _by_name(dicts: Sequence[Any]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for name, value in itertools.chain.from_iterable(d.items() for d in dicts if d is not None):
        found.setdefault(name, []).append(value)
    return found


def _joined(dicts: Sequence[Any]) -> dict[str, Tensor]:
    return {name: joining.concat(values, axis=0, name=name) for name, values in _by_name(dicts).items()}


def _output(each: list[Any]) -> Any:
    """The export of all towers."""
    if isinstance(each[0], PredictOutput):
        return PredictOutput(outputs=_joined([output.outputs for output in each]))
    if isinstance(each[0], RegressionOutput):
        return RegressionOutput(value=joining.concat([output.value for output in each], axis=0))
    scores = None if each[0].scores is None else joining.concat([output.scores for output in each], axis=0)
    classes = None if each[0].classes is None else joining.stack([output.classes for output in each], axis=0)
    return ClassificationOutput(scores=scores, classes=classes)


# -- gradients kept short ------------------------------------------------------------------------


class _TransformGradients(WrappingOptimizer):
    """Another optimizer, whose gradients are changed before it applies them."""

    def __init__(self, optimizer: Any, transform_grads_fn: Callable[[Any], Any], name: str | None = None) -> None:
        super().__init__(optimizer, use_locking=False, name=name or optimizer.get_name())
        self._transform_grads_fn = transform_grads_fn

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """The other optimizer's step by the changed gradients."""
        return self._opt.apply_gradients(self._transform_grads_fn(grads_and_vars), global_step, name)


def clip_gradients_by_norm(optimizer: Any, clip_norm: Any) -> Optimizer:
    """An optimizer whose gradients together are scaled down to a norm of ``clip_norm``."""

    def clipped(grads_and_vars: Any) -> list[tuple[Any, Any]]:
        gradients, variables = zip(*grads_and_vars, strict=True)
        return list(zip(clipping.clip_by_global_norm(gradients, clip_norm)[0], variables, strict=True))

    return _TransformGradients(optimizer, clipped, name="ClipByNorm" + optimizer.get_name())
