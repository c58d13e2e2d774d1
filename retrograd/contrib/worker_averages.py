"""Optimizers of workers that train copies of their own, and now and then meet in a center.

Each worker moves its own variables by another optimizer.  Every so many steps

    model averaging:            center = mean of the workers' variables;         v = center
    elastic averaging:          v -= a (v - center);  center += a (v - center)
    accumulated gradients:      center is moved by (sum of the gradients) / steps;  v = center

Source: TensorFlow 1.15.5, ``contrib/opt/python/training``: order of ops, names; Zhang, Choromanska, LeCun, 2015,
arXiv:1412.6651; Hermans, 2017, arXiv:1710.02368.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, ClassVar

from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with, control_dependencies, device, get_collection_ref, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.io.saveables import op_list_to_dict
from retrograd.io.saver import Saver
from retrograd.nn.summaries import scalar
from retrograd.ops import activations, arithmetic, arrays, casts, comparison, constants, control, state
from retrograd.ops.accumulators import ConditionalAccumulator
from retrograd.ops.conditions import cond
from retrograd.ops.queue_classes import FIFOQueue
from retrograd.ops.sums import add_n
from retrograd.sessions.hooks import SessionRunHook
from retrograd.state.initialization import (
    global_variables,
    global_variables_initializer,
    local_variables_initializer,
    trainable_variables,
)
from retrograd.state.initializers import zeros_initializer
from retrograd.state.resource import is_resource_variable
from retrograd.state.scopes import get_variable
from retrograd.state.variables import VariableV1, variable_creator_scope
from retrograd.train.optimizer import Optimizer
from retrograd.train.training_util import get_global_step
from retrograd.train.wrapping import WrappingOptimizer

GLOBAL_VARIABLE_NAME = "global_center_variable"
LOCAL_VARIABLE_NAME = "local_center_variable"
GRAD_VARIABLE_NAME = "grad_variable"

# -- where variables belong ----------------------------------------------------------------------


class _WorkerVariables:
    """A custom getter: trainable variables belong to a worker, and others of the same shape stand beside each.

    To be given to a variable scope.  A subclass lists the others: the first part of their names, and whether they
    belong to the worker too.
    """

    beside: ClassVar[Sequence[tuple[str, bool]]] = ()

    def __init__(self, worker_device: str) -> None:
        self._worker_device = worker_device
        self._others: dict[str, dict[Any, Any]] = {prefix: {} for prefix, _ in self.beside}

    def __call__(self, getter: Any, name: str, trainable: Any, collections: Any, *args: Any, **kwargs: Any) -> Any:
        if not trainable:
            return self._untrained(getter, name, *args, trainable=trainable, collections=collections, **kwargs)

        def made(name: str, trainable: bool, of_worker: bool) -> Any:
            kept = [GraphKeys.LOCAL_VARIABLES if of_worker else GraphKeys.GLOBAL_VARIABLES]
            with device(self._worker_device) if of_worker else nullcontext():
                return getter(name, *args, trainable=trainable, collections=kept, **kwargs)

        variable = made(name, True, True)
        if kwargs.get("reuse") is True:
            return variable
        for prefix, of_worker in self.beside:
            other = made(f"{prefix}/{name}", False, of_worker)
            if kwargs.get("partitioner") is None:
                self._others[prefix][variable] = other
            else:
                self._others[prefix].update(zip(list(variable), list(other), strict=True))
        return variable

    def _untrained(self, getter: Any, name: str, *args: Any, collections: Any, **kwargs: Any) -> Any:
        of_worker = GraphKeys.LOCAL_VARIABLES in (collections or ())
        with device(self._worker_device) if of_worker else nullcontext():
            return getter(name, *args, collections=collections, **kwargs)


class _WithCenters(_WorkerVariables):
    @property
    def _global_map(self) -> dict[Any, Any]:
        return self._others[GLOBAL_VARIABLE_NAME]


class ElasticAverageCustomGetter(_WithCenters):
    """Beside each trainable variable: the center, and what the worker last saw of it."""

    beside = ((GLOBAL_VARIABLE_NAME, False), (LOCAL_VARIABLE_NAME, True))

    @property
    def _local_map(self) -> dict[Any, Any]:
        return self._others[LOCAL_VARIABLE_NAME]


class AGNCustomGetter(_WithCenters):
    """Beside each trainable variable: the center, and the sum of the worker's gradients."""

    beside = ((GLOBAL_VARIABLE_NAME, False), (GRAD_VARIABLE_NAME, True))

    @property
    def _grad_map(self) -> dict[Any, Any]:
        return self._others[GRAD_VARIABLE_NAME]

    def _untrained(self, getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        return getter(name, *args, **kwargs)


class ModelAverageCustomGetter(_WorkerVariables):
    """Beside each trainable variable: the center, which begins with the variable's initial value."""

    def __init__(self, worker_device: str) -> None:
        super().__init__(worker_device)
        self._local_2_global: dict[Any, Any] = {}

    def __call__(self, getter: Any, name: str, trainable: Any, collections: Any, *args: Any, **kwargs: Any) -> Any:
        variable = super().__call__(getter, name, trainable, collections, *args, **kwargs)
        if trainable:
            self._local_2_global[variable] = VariableV1(
                name=f"{GLOBAL_VARIABLE_NAME}/{name}", initial_value=variable.initialized_value(), trainable=False,
                collections=[GraphKeys.GLOBAL_VARIABLES],
            )  # fmt: skip
        return variable


# -- what the optimizers share -------------------------------------------------------------------


class _WorkerOptimizer(Optimizer):
    """Another optimizer for the worker's variables, and a count of its steps."""

    def __init__(self, opt: Optimizer, num_worker: int, interval: int, use_locking: bool, name: str) -> None:
        super().__init__(use_locking, name)
        self._opt = opt
        self._num_worker = num_worker
        self._interval = interval

    def _count_steps(self) -> None:
        self._local_step = get_variable(
            initializer=0, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES], name="local_step"
        )
        self._opt._prepare()

    def _counted(self) -> Operation:
        op: Operation = state.assign_add(self._local_step, 1, name="local_step_update").op
        return op

    def _is_time(self) -> Any:
        return comparison.equal(arithmetic.mod(self._local_step, self._interval), 0)


class _InitializationHook(SessionRunHook):
    """Runs what makes the variables of a worker those of the center, once a session is there."""

    def __init__(self, make_init_op: Callable[[], Any], is_chief: bool) -> None:
        self._make_init_op, self._is_chief = make_init_op, is_chief

    def begin(self) -> None:
        """Build the ops."""
        self._local_init_op = local_variables_initializer()
        self._global_init_op = global_variables_initializer() if self._is_chief else None
        self._variable_init_op = self._make_init_op()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Run the last."""
        session.run(self._variable_init_op)


class _CenterOptimizer(_WorkerOptimizer):
    """A worker's optimizer, which now and then meets the centers that a getter made."""

    def __init__(
        self, opt: Optimizer, num_worker: int, getter: _WithCenters, interval: int, use_locking: bool, name: str
    ) -> None:
        super().__init__(opt, num_worker, interval, use_locking, name)
        self._global_map = getter._global_map

    @staticmethod
    def _one_more(global_step: Any) -> list[Any]:
        """The count of the steps of the center, if one is kept."""
        if global_step is None:
            return []
        with colocate_with(global_step):
            return [state.assign_add(global_step, 1)]

    def get_init_op(self, task_index: int) -> Operation:
        """An op that makes the worker's variables those of the center."""
        raise NotImplementedError

    def make_session_run_hook(self, is_chief: bool, task_index: int) -> SessionRunHook:
        """A hook that begins a worker with the center's values."""
        return _InitializationHook(lambda: self.get_init_op(task_index), is_chief)


class _ModelAverageHook(_InitializationHook):
    """Builds the ops that begin a worker; whoever makes the session runs them."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Nothing."""


# -- the mean of the workers' variables ----------------------------------------------------------


class ModelAverageOptimizer(_WorkerOptimizer):
    """Every ``interval_steps`` steps the workers wait for each other and go on from the mean of their variables.

    Args:
      opt: what moves a worker's variables.
      num_worker: how many workers there are.
      is_chief: whether this is the worker that computes the mean.
      ma_custom_getter: the getter that the variables were made with.
    """

    def __init__(
        self,
        opt: Optimizer,
        num_worker: int,
        is_chief: bool,
        ma_custom_getter: ModelAverageCustomGetter,
        interval_steps: int = 100,
        use_locking: bool = True,
        name: str = "ModelAverageOptimizer",
    ) -> None:
        super().__init__(opt, num_worker, interval_steps, use_locking, name)
        self._is_chief = is_chief
        self._local_2_global = ma_custom_getter._local_2_global
        self._accumulator_list: list[tuple[ConditionalAccumulator, str]] = []
        self._chief_init_op: Any = None
        self._count_steps()

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """The other optimizer's."""
        return self._opt.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """A step of the worker, and when it is time, of all together; ``global_step`` counts the latter.

        Raises:
          ValueError: there are no variables, or no global step.
        """
        if not grads_and_vars:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required")
        grads_and_vars = list(grads_and_vars)
        with control_dependencies([self._opt.apply_gradients(grads_and_vars)]):
            counted = self._counted()
        moved = [v for g, v in grads_and_vars if g is not None]
        with control_dependencies([counted]):
            step = cond(self._is_time(), lambda: self._meet(moved, global_step), control.no_op)
        starts = []
        for accumulator, place in self._accumulator_list:
            with device(place):
                starts.append(accumulator.set_global_step(global_step, name="SetGlobalStep"))
        self._chief_init_op = control.group(*starts)
        return step

    def _meet(self, moved: list[Any], global_step: Any) -> Any:
        centers = [self._local_2_global[v] for v in moved]
        with colocate_with(global_step):
            tokens = FIFOQueue(-1, [dtypes.bool], shapes=[[]], shared_name="sync_queue")
        given, means = [], []
        with name_scope(None, self._name + "/global"):
            for var, center in zip(moved, centers, strict=True):
                with device(center.device):
                    if is_resource_variable(var):
                        raise ValueError("Unknown local variable type!")
                    total = ConditionalAccumulator(var.dtype, shape=var.shape, shared_name=center.name + "/var_accum")
                    given.append(total.apply_grad(var._ref(), local_step=global_step))
                    means.append(total.take_grad(self._num_worker))
                self._accumulator_list.append((total, center.device))
        if self._is_chief:
            with control_dependencies(given):
                updates = []
                for mean, center in zip(means, centers, strict=True):
                    with device(center.device):
                        updates.append(state.assign(center, mean))
                with device(global_step.device):
                    updates.append(state.assign_add(global_step, 1))
            with control_dependencies(updates), device(global_step.device):
                passed = tokens.enqueue_many(constants.fill([self._num_worker - 1], constants.constant(False)))
        else:
            with control_dependencies(given), device(global_step.device):
                passed = tokens.dequeue()
        with control_dependencies([passed]):
            return self._from_center(moved)

    def _from_center(self, variables: list[Any]) -> Operation:
        if not variables:
            raise ValueError("The list of local_variables should not be empty")
        updates = []
        for var, center in zip(variables, [self._local_2_global[v] for v in variables], strict=True):
            with device(var.device):
                updates.append(state.assign(var, center.read_value()))
        return control.group(*updates)

    def get_init_op(self) -> Operation:
        """An op that makes the worker's variables those of the center."""
        return self._from_center(trainable_variables())

    def make_session_run_hook(self) -> SessionRunHook:
        """A hook that builds the ops which begin a worker."""
        return _ModelAverageHook(self.get_init_op, self._is_chief)


# -- the center pulls, and is pulled -------------------------------------------------------------


class ElasticAverageOptimizer(_CenterOptimizer):
    """Every ``communication_period`` steps, whenever that is, a worker and the center move towards each other.

    Args:
      opt: what moves a worker's variables.
      num_worker: how many workers there are.
      ea_custom_getter: the getter that the variables were made with.
      moving_rate: how much of the difference they move; by default 0.9 / period / workers.
      rho: how much the distance from the center counts in the loss; by default ``moving_rate / learning rate``.
      synchronous: whether the workers wait for each other before the first step.
    """

    BETA = 0.9

    def __init__(
        self,
        opt: Any,
        num_worker: int,
        ea_custom_getter: ElasticAverageCustomGetter,
        communication_period: int = 10,
        moving_rate: float | None = None,
        rho: Any = None,
        use_locking: bool = True,
        synchronous: bool = False,
        name: str = "ElasticAverageOptimizer",
    ) -> None:
        super().__init__(opt, num_worker, ea_custom_getter, communication_period, use_locking, name)
        self._local_map = ea_custom_getter._local_map
        self._synchronous = synchronous
        rate = self.BETA / communication_period / num_worker if moving_rate is None else moving_rate
        self._moving_rate = rate
        self._rho = rate / opt._learning_rate if rho is None else rho
        self._count_steps()

    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> Any:
        """The other optimizer's, of ``loss + rho * sum(|v - center|^2 / 2)``."""
        chosen = var_list or trainable_variables()
        seen = [self._local_map[v] for v in chosen]
        away = [arithmetic.subtract(v, c) for v, c in zip(trainable_variables(), seen, strict=False)]
        distance = self._rho * add_n([activations.l2_loss(x) for x in away])
        return self._opt.compute_gradients(
            loss + distance, chosen, gate_gradients, aggregation_method, colocate_gradients_with_ops, grad_loss
        )

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """A step of the worker, and when it is time, one towards the center; ``global_step`` counts the latter."""
        grads_and_vars = list(grads_and_vars)
        before = {v.op.name for v in global_variables()}
        step = self._opt.apply_gradients(grads_and_vars)
        made = {v.op.name for v in global_variables()} - before
        with control_dependencies([step]):
            counted = self._counted()
        everywhere = get_collection_ref(GraphKeys.GLOBAL_VARIABLES)
        get_collection_ref(GraphKeys.LOCAL_VARIABLES).extend(v for v in everywhere if v.op.name in made)
        everywhere[:] = [v for v in everywhere if v.op.name not in made]
        moved = [v for g, v in grads_and_vars if g is not None]
        with control_dependencies([counted]):
            return cond(self._is_time(), lambda: self._meet(moved, global_step), control.no_op)

    def _meet(self, moved: list[Any], global_step: Any) -> Operation:
        centers, seen = [self._global_map[v] for v in moved], [self._local_map[v] for v in moved]
        looked = [mine.assign(center) for mine, center in zip(seen, centers, strict=True)]
        away, updates = [], []
        with control_dependencies(looked):
            for var, center in zip(moved, seen, strict=True):
                with device(var.device):
                    away.append(arithmetic.subtract(var, center))
            for var, x in zip(moved, away, strict=True):
                with device(var.device):
                    updates.append(state.assign_sub(var, arithmetic.multiply(self._moving_rate, x)))
            for center, x in zip(centers, away, strict=True):
                with device(center.device):
                    updates.append(state.assign_add(center, arithmetic.multiply(self._moving_rate, x)))
            updates += self._one_more(global_step)
        return control.group(*updates)

    def get_init_op(self, task_index: int) -> Operation:
        """An op that makes the worker's variables, and what it has seen, those of the center.

        Raises:
          ValueError: there are no variables that the getter made.
        """
        variables = trainable_variables()
        if not variables:
            raise ValueError(
                "The lists of local_variables, global_center_variables, local_center_variables should not be empty  "
            )
        updates = []
        centers = [self._global_map[v] for v in variables]
        for var, center, seen in zip(variables, centers, [self._local_map[v] for v in variables], strict=True):
            updates += [state.assign(var, center), state.assign(seen, center)]
        begun = control.group(*updates)
        return self._all_ready(begun, task_index) if self._synchronous else begun

    def _all_ready(self, begun: Operation, task_index: int) -> Operation:
        """Each worker puts a token into the queue of every other, and takes as many from its own."""
        queues = [
            FIFOQueue(self._num_worker, [dtypes.bool], shapes=[[]], shared_name=f"variable_init_sync_queue{i}")
            for i in range(self._num_worker)
        ]
        token = constants.constant(False)
        with control_dependencies([begun]):
            passed = [control.no_op() if i == task_index else q.enqueue(token) for i, q in enumerate(queues)]
        return control.group(*passed, queues[task_index].dequeue_many(len(queues) - 1))

    def swapping_saver(self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any) -> Saver:
        """A saver that writes each center under the name of the worker's variable.

        Raises:
          RuntimeError: the getter has made no variables.
        """
        if not self._global_map:
            raise RuntimeError(
                "global_center_variable is empty, please make sure this is called after model created and "
                "ElasticAverageCustomGetter is used when declaring you model"
            )
        listed = trainable_variables() if var_list is None else var_list
        listed = listed if isinstance(listed, dict) else op_list_to_dict(listed)
        by_name = {v.op.name: v for v in trainable_variables()}

        def center(var: Any) -> Any:
            return self._global_map.get(by_name.get(var.op.name), var)

        swapped = {
            key: [self._global_map.get(part, part) for part in var] if isinstance(var, list) else center(var)
            for key, var in listed.items()
        }
        return Saver(swapped, name=name, **kwargs)


# -- the center takes accumulated gradients ------------------------------------------------------


def _local(next_creator: Callable[..., Any], collections: Any = None, **kwargs: Any) -> Any:
    """A creator of variables that makes them local instead of global."""
    kept = list(collections or [GraphKeys.LOCAL_VARIABLES])
    if GraphKeys.GLOBAL_VARIABLES in kept:
        kept.append(GraphKeys.LOCAL_VARIABLES)
        kept.remove(GraphKeys.GLOBAL_VARIABLES)
    return next_creator(collections=kept, **kwargs)


class AGNOptimizer(_CenterOptimizer):
    """Every ``communication_period`` steps the center is moved by the mean of a worker's gradients since the last.

    Args:
      optimizer: what moves a worker's variables, and the center.
      num_worker: how many workers there are.
      custom_getter: the getter that the variables were made with.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        num_worker: int,
        custom_getter: AGNCustomGetter,
        communication_period: int = 10,
        use_locking: bool = True,
        name: str = "AGNOptimizer",
    ) -> None:
        super().__init__(optimizer, num_worker, custom_getter, communication_period, use_locking, name)
        self._grad_map = custom_getter._grad_map
        self._count_steps()

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """A step of the worker, and when it is time, one of the center; ``global_step`` counts the latter."""
        pairs = list(grads_and_vars)
        moved = [v for g, v in pairs if g is not None]
        sums = [self._grad_map[v] for v in moved]
        with variable_creator_scope(_local):
            updates = [self._opt.apply_gradients(pairs)]
        for gradient, total in zip([g for g, _ in pairs if g is not None], sums, strict=True):
            updates.append(state.assign_add(total, gradient))
        centers = [self._global_map[v] for v in moved]
        counted = self._counted()
        with control_dependencies([counted]):
            is_time = self._is_time()
        with control_dependencies(updates):
            return cond(is_time, lambda: self._meet(moved, sums, centers, global_step), control.no_op)

    def _meet(self, moved: list[Any], sums: list[Any], centers: list[Any], global_step: Any) -> Operation:
        means = [state.assign(total, total / self._interval) for total in sums]
        with control_dependencies(means):
            step = self._opt.apply_gradients(zip(sums, centers, strict=True))
        updates = []
        with control_dependencies([step]):
            updates += self._one_more(global_step)
            updates += [state.assign(v, c.read_value()) for v, c in zip(moved, centers, strict=True)]
            updates += [state.assign(total, constants.zeros_like(total)) for total in sums]
            return control.group(*updates)

    def get_init_op(self, task_index: int) -> Operation:
        """An op that makes the worker's variables those of the center, and the sums 0.

        Raises:
          ValueError: there are no variables that the getter made.
        """
        variables = trainable_variables()
        if not variables:
            raise ValueError(
                "The lists of local_variables, global_center_variables,grad_center_variables should not be empty"
            )
        centers, sums = [self._global_map[v] for v in variables], [self._grad_map[v] for v in variables]
        updates = [state.assign(v, c) for v, c in zip(variables, centers, strict=True)]
        updates += [state.assign(total, constants.zeros_like(total)) for total in sums]
        return control.group(*updates)


# -- gradients that come too late ----------------------------------------------------------------


class DropStaleGradientOptimizer(WrappingOptimizer):
    """Another optimizer, which passes over gradients that were begun more than ``staleness`` steps ago."""

    def __init__(
        self, opt: Optimizer, staleness: int, use_locking: bool = False, name: str = "DropStaleGradient"
    ) -> None:
        super().__init__(opt, use_locking, name)
        self._staleness = staleness

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Any:
        """The other optimizer's, behind a look at the global step."""
        with colocate_with(loss):
            self._local_step = get_global_step() + 0
        with control_dependencies([self._local_step]):
            return self._opt.compute_gradients(arrays.identity(loss), *args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """A step, unless it comes too late; gives how many did."""
        grads_and_vars = list(grads_and_vars)
        with colocate_with(global_step):
            dropped = get_variable("stale_counter", [], initializer=zeros_initializer(), trainable=False)

        def accepted() -> Any:
            with control_dependencies([self._opt.apply_gradients(grads_and_vars, global_step=global_step, name=name)]):
                return arrays.identity(0.0)

        gradients = [g if isinstance(g, Tensor) else g.op for g, _ in grads_and_vars if g is not None]
        with control_dependencies(gradients), colocate_with(global_step):
            late = arrays.reshape(global_step - self._local_step, shape=())
        step = dropped.assign_add(
            cond(comparison.less_equal(late, self._staleness), accepted, lambda: arrays.identity(1.0))
        )
        scalar("Gradient staleness percentage", dropped / casts.cast(global_step + 1, dtypes.float32))
        return step
