"""``Strategy``: where variables and the copies of a computation are; here all is one copy on one device.

A strategy's ``extended`` says how: ``Extended`` is what all share, each kind of strategy changes a few of its methods.
"""

from __future__ import annotations

import copy
import enum
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache
from typing import Any

from retrograd.data.dataset import Dataset
from retrograd.data.iterators import make_initializable_iterator, make_one_shot_iterator
from retrograd.distribute.contexts import (
    ReduceOp,
    ReplicaContext,
    UpdateContext,
    get_strategy,
    has_strategy,
    modes_of_graph,
    reduce_op_of,
    replica_zero,
    require_all_replicas,
    require_scope,
)
from retrograd.flow.loops import while_loop
from retrograd.graph import log, nest
from retrograd.graph.scopes import colocate_with, control_dependencies, device
from retrograd.graph.stack import default_graph
from retrograd.ops import arithmetic, arrays, casts, constants, control, reductions
from retrograd.state import scopes, variables
from retrograd.state.strategies import Mode


class InputReplicationMode(enum.Enum):
    """Who calls an input function."""

    PER_WORKER = "PER_WORKER"


class InputContext:
    """What an input function is told of the pipelines and replicas that it is for."""

    def __init__(self, num_input_pipelines: int = 1, input_pipeline_id: int = 0, num_replicas_in_sync: int = 1) -> None:
        self._num_input_pipelines = num_input_pipelines
        self._input_pipeline_id = input_pipeline_id
        self._num_replicas_in_sync = num_replicas_in_sync

    @property
    def num_replicas_in_sync(self) -> int:
        return self._num_replicas_in_sync

    @property
    def input_pipeline_id(self) -> int:
        return self._input_pipeline_id

    @property
    def num_input_pipelines(self) -> int:
        return self._num_input_pipelines

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The size of a replica's part of a batch.

        Raises:
          ValueError: the parts would differ in size.
        """
        if global_batch_size % self._num_replicas_in_sync:
            raise ValueError(
                f"The `global_batch_size` {global_batch_size!r} is not divisible by `num_replicas_in_sync` "
                f"{self._num_replicas_in_sync!r} "
            )
        return global_batch_size // self._num_replicas_in_sync


class InputIterator:
    """The iterator of a strategy over a dataset."""

    def __init__(self, dataset: Any) -> None:
        self._dataset = dataset
        eager = default_graph().is_eager
        self._iterator = make_one_shot_iterator(dataset) if eager else make_initializable_iterator(dataset)

    def get_next(self) -> Any:
        """The next element."""
        return self._iterator.get_next()

    def initialize(self) -> Any:
        """What begins the dataset again: an op, or nothing where ops run at once."""
        if default_graph().is_eager:
            self._iterator = make_one_shot_iterator(self._dataset)
            return []
        return control.group(self._iterator.initializer)

    @property
    def initializer(self) -> Any:
        return self.initialize()


class MultiStepContext:
    """What steps in a loop hand out: the outputs of the last, and other values."""

    def __init__(self) -> None:
        self._last_step_outputs: dict[str, Any] = {}
        self._non_tensor_outputs: dict[str, Any] = {}
        self.run_op: Any = None

    @property
    def last_step_outputs(self) -> dict[str, Any]:
        return self._last_step_outputs

    @property
    def non_tensor_outputs(self) -> dict[str, Any]:
        return self._non_tensor_outputs

    def set_last_step_output(self, name: str, output: Any, reduce_op: Any = None) -> None:
        """Hand out a tensor of the last step."""
        self._last_step_outputs[name] = output

    def set_non_tensor_output(self, name: str, output: Any) -> None:
        """Hand out anything else."""
        self._non_tensor_outputs[name] = output


class StrategyExtended:
    """How a strategy places variables, calls functions and brings values together."""

    experimental_between_graph = False
    experimental_should_init = True
    should_checkpoint = True
    should_save_summary = True
    experimental_require_static_shapes = False
    _num_replicas_in_sync = 1
    _cuts_variables = False  # by the partitioners of scopes

    def __init__(self, container_strategy: Strategy) -> None:
        self._strategy_of = weakref.ref(container_strategy)
        self._devices: tuple[str, ...] = ()

    def _container_strategy(self) -> Strategy:
        strategy = self._strategy_of()
        assert strategy is not None
        return strategy

    # -- variables -------------------------------------------------------------------------------

    @contextmanager
    def _scope(self, strategy: Strategy) -> Iterator[Strategy]:
        if has_strategy():
            require_all_replicas(strategy)
            yield strategy
            return

        def placed(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
            require_scope(strategy)
            return self._create_variable(
                next_creator, **{**kwargs, "use_resource": True, "distribute_strategy": strategy}
            )

        def whole(getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
            if not self._cuts_variables and kwargs.pop("partitioner", None) is not None:
                log.log_first_n(
                    log.WARN, "Partitioned variables are disabled when using current tf.distribute.Strategy.", 1
                )
            return getter(*args, **kwargs)

        with ExitStack() as blocks:
            modes_of_graph().append(Mode(strategy))
            blocks.callback(modes_of_graph().pop)
            blocks.enter_context(scopes.variable_scope(scopes.get_variable_scope(), custom_getter=whole))
            blocks.enter_context(variables.variable_creator_scope(placed))
            yield strategy

    def _create_variable(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        """Make a variable on the strategy's device, or beside the variable ``colocate_with``."""
        beside = kwargs.pop("colocate_with", None)
        with device(self._devices[0]) if beside is None else colocate_with(beside):
            return next_creator(**kwargs)

    def variable_created_in_scope(self, v: Any) -> bool:
        """Whether a variable was made in the strategy's scope."""
        return v._distribute_strategy is self._strategy_of()

    def colocate_vars_with(self, colocate_with_variable: Any) -> AbstractContextManager[Any]:
        """Variables of the block are where this one is."""
        require_scope(self._container_strategy())

        def beside(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
            return next_creator(**{**kwargs, "use_resource": True, "colocate_with": colocate_with_variable})

        return variables.variable_creator_scope(beside)

    def read_var(self, v: Any) -> Any:
        """The value of a variable."""
        return arrays.identity(v)

    def value_container(self, value: Any) -> Any:
        """The variable that holds a value of a replica."""
        return value

    # -- calls -----------------------------------------------------------------------------------

    def call_for_each_replica(self, fn: Callable[..., Any], args: Any = (), kwargs: Any = None) -> Any:
        """``fn(*args, **kwargs)`` in the context of the replica."""
        require_all_replicas(self._container_strategy())
        with self._container_strategy().scope():
            return self._call_for_each_replica(fn, args, kwargs or {})

    def _call_for_each_replica(self, fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        with device(self._devices[0]), ReplicaContext(self._container_strategy(), replica_zero()):
            return fn(*args, **kwargs)

    def update(self, var: Any, fn: Callable[..., Any], args: Any = (), kwargs: Any = None, group: bool = True) -> Any:
        """``fn(var, *args, **kwargs)`` where the variable is; a tuple of one result without ``group``."""
        require_all_replicas(self._container_strategy())
        with self._container_strategy().scope():
            return self._update(var, fn, (var, *args), kwargs or {}, group)

    def update_non_slot(
        self, colocate_with: Any, fn: Callable[..., Any], args: Any = (), kwargs: Any = None, group: bool = True
    ) -> Any:
        """``fn(*args, **kwargs)`` on the devices of ``non_slot_devices``."""
        require_all_replicas(self._container_strategy())
        with self._container_strategy().scope():
            return self._update(getattr(colocate_with, "device", colocate_with), fn, args, kwargs or {}, group)

    def _update(self, place: Any, fn: Callable[..., Any], args: Any, kwargs: Any, group: bool) -> Any:
        with device(self._devices[0]), UpdateContext(self._devices[0]):
            result = fn(*args, **kwargs)
        return result if group else nest.map_structure(self._local_results, result)

    def experimental_run_steps_on_iterator(
        self, fn: Callable[..., Any], iterator: Any, iterations: Any = 1, initial_loop_values: Any = None
    ) -> MultiStepContext:
        """``fn(context, iterator.get_next())`` again and again in a loop of the graph."""
        require_all_replicas(self._container_strategy())
        context = MultiStepContext()

        def step(i: Any, *_: Any) -> list[Any]:
            result = fn(context, iterator.get_next())
            outputs = nest.flatten(context.last_step_outputs)
            with control_dependencies([result]):
                return [i + 1, *outputs]

        with self._container_strategy().scope():
            begin = [constants.constant(0), *nest.flatten(initial_loop_values or {})]
            results = while_loop(
                lambda i, *_: i < iterations, step, begin, name="", parallel_iterations=1, back_prop=False,
                return_same_structure=True,
            )  # fmt: skip
            context.run_op = control.group(results)
            context._last_step_outputs = nest.pack_sequence_as(context.last_step_outputs, results[1:])
        return context

    # -- values ----------------------------------------------------------------------------------

    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        """The sum or the mean of the replicas' values: of one replica, its value."""
        require_all_replicas(self._container_strategy())
        return self._reduced(reduce_op_of(reduce_op), value)

    def _reduced(self, reduce_op: ReduceOp, value: Any) -> Any:
        return value

    def batch_reduce_to(self, reduce_op: Any, value_destination_pairs: Any) -> list[Any]:
        """The same for pairs of values and destinations."""
        require_all_replicas(self._container_strategy())
        return [value for value, _ in value_destination_pairs]

    def broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        """The value on all devices."""
        require_all_replicas(self._container_strategy())
        return tensor

    def _local_results(self, value: Any) -> tuple[Any, ...]:
        return (value,)

    def _group(self, value: Any, name: str | None = None) -> Any:
        values = nest.flatten(self._local_results(value))
        if len(values) != 1 or name is not None:
            return control.group(values, name=name)
        return getattr(values[0], "op", values[0])

    # -- data ------------------------------------------------------------------------------------

    def _make_dataset_iterator(self, dataset: Any) -> InputIterator:
        return InputIterator(dataset)

    def _make_input_fn_iterator(self, input_fn: Callable[..., Any], replication_mode: Any) -> InputIterator:
        dataset = input_fn(InputContext())
        if not isinstance(dataset, Dataset):
            raise ValueError("input_fn must return a tf.data.Dataset or a callable.")
        return InputIterator(dataset)

    def experimental_make_numpy_dataset(self, numpy_input: Any, session: Any = None) -> Any:
        """A dataset of the rows of arrays."""
        require_all_replicas(self._container_strategy())
        return Dataset.from_tensor_slices(numpy_input)

    # -- devices ---------------------------------------------------------------------------------

    @property
    def worker_devices(self) -> tuple[str, ...]:
        """The devices of the replicas."""
        return self._devices

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        """The devices of variables."""
        return self._devices

    def non_slot_devices(self, var_list: Any) -> Any:
        """Where variables go that belong to no other variable."""
        return self._devices

    def _update_config_proto(self, config_proto: Any) -> Any:
        return copy.deepcopy(config_proto)


class Strategy:
    """Where variables and the copies of a computation are.

    Variables made in ``scope()`` are the strategy's; functions are called in the context of a replica by
    ``experimental_run``, ``experimental_run_v2`` and ``extended.call_for_each_replica``.
    """

    _is_default = False

    def __init__(self, extended: StrategyExtended) -> None:
        self._extended = extended
        self._scale_loss_for_estimator = False

    @property
    def extended(self) -> Any:
        """The methods for those who write optimizers, layers and loops of training."""
        return self._extended

    @contextmanager
    def _scale_loss_for_estimator_enabled(self) -> Iterator[None]:
        self._scale_loss_for_estimator = True
        try:
            yield
        finally:
            self._scale_loss_for_estimator = False

    def scope(self) -> AbstractContextManager[Strategy]:
        """A block whose variables are the strategy's."""
        return self._extended._scope(self)

    def colocate_vars_with(self, colocate_with_variable: Any) -> AbstractContextManager[Any]:
        """Variables of the block are where this one is."""
        return self._extended.colocate_vars_with(colocate_with_variable)

    def make_dataset_iterator(self, dataset: Any) -> InputIterator:
        """An iterator over the dataset; each step takes one of its batches."""
        return self._extended._make_dataset_iterator(dataset)

    def make_input_fn_iterator(
        self, input_fn: Callable[..., Any], replication_mode: Any = InputReplicationMode.PER_WORKER
    ) -> InputIterator:
        """An iterator over the dataset ``input_fn(InputContext())``."""
        if replication_mode != InputReplicationMode.PER_WORKER:
            raise ValueError(f"Input replication mode not supported: {replication_mode!r}")
        with self.scope():
            return self._extended._make_input_fn_iterator(input_fn, replication_mode)

    def experimental_make_numpy_dataset(self, numpy_input: Any, session: Any = None) -> Any:
        """A dataset of the rows of arrays."""
        return self._extended.experimental_make_numpy_dataset(numpy_input, session)

    def experimental_distribute_dataset(self, dataset: Any) -> Any:
        """The dataset, split among the replicas: of one, itself."""
        return dataset

    def experimental_distribute_datasets_from_function(self, dataset_fn: Callable[..., Any]) -> Any:
        """The dataset ``dataset_fn(InputContext())``."""
        return dataset_fn(InputContext())

    def experimental_run(self, fn: Callable[..., Any], input_iterator: Any = None) -> Any:
        """``fn(input_iterator.get_next())`` in the context of the replica."""
        with self.scope():
            args = (input_iterator.get_next(),) if input_iterator is not None else ()
        return self.experimental_run_v2(fn, args=args)

    def experimental_run_v2(self, fn: Callable[..., Any], args: Any = (), kwargs: Any = None) -> Any:
        """``fn(*args, **kwargs)`` in the context of the replica."""
        with self.scope():
            return self._extended.call_for_each_replica(fn, args=args, kwargs=kwargs)

    def reduce(self, reduce_op: Any, value: Any, axis: int | None = None) -> Any:
        """The sum or the mean of the replicas' values, and along ``axis`` of each, if that is given."""
        require_all_replicas(self)
        reduce_op = reduce_op_of(reduce_op)
        reduced = self._extended._reduced
        if axis is None:
            return reduced(reduce_op, value)
        if reduce_op is ReduceOp.SUM:
            return reduced(
                reduce_op, self.experimental_run_v2(lambda v: reductions.reduce_sum(v, axis=axis), args=(value,))
            )
        total, count = self.experimental_run_v2(_sum_and_count, args=(value, axis))
        total, count = reduced(ReduceOp.SUM, total), reduced(ReduceOp.SUM, count)
        return arithmetic.truediv(total, casts.cast(count, total.dtype))

    def unwrap(self, value: Any) -> tuple[Any, ...]:
        """The values of the replicas."""
        return self._extended._local_results(value)

    experimental_local_results = unwrap

    def group(self, value: Any, name: str | None = None) -> Any:
        """One op that runs what the replicas gave."""
        return self._extended._group(value, name)

    @property
    def num_replicas_in_sync(self) -> int:
        """Over how many replicas gradients are summed."""
        return self._extended._num_replicas_in_sync

    def configure(
        self, session_config: Any = None, cluster_spec: Any = None, task_type: Any = None, task_id: Any = None
    ) -> None:
        """Fit a configuration of sessions to the strategy."""

    def update_config_proto(self, config_proto: Any) -> Any:
        """The same, as a copy."""
        return self._extended._update_config_proto(config_proto)

    def __deepcopy__(self, memo: Any) -> Strategy:
        result = type(self).__new__(type(self))
        memo[id(self)] = result
        for key, value in vars(self).items():
            setattr(result, key, copy.copy(value) if key == "_extended" else copy.deepcopy(value, memo))
        result._extended._strategy_of = weakref.ref(result)
        return result


def _sum_and_count(value: Any, axis: int) -> tuple[Any, Any]:
    total = reductions.reduce_sum(value, axis=axis)
    if value.rank is not None:
        if not -value.rank <= axis < value.rank:
            raise ValueError(f"`axis` = {axis!r} out of range for `value` with rank {value.rank}")
        axis %= value.rank
        if value.dims[axis] is not None:
            return total, value.dims[axis]
    if value.rank == 1:
        return total, arrays.size(value, out_type="int64")
    return total, arrays.shape(value, out_type="int64")[axis if value.rank is not None else axis + arrays.rank(value)]


# -- without a strategy --------------------------------------------------------------------------


class _DefaultDistributionExtended(StrategyExtended):
    """What ``get_strategy()`` does where no strategy is: nothing is placed, nothing is changed."""

    @contextmanager
    def _scope(self, strategy: Strategy) -> Iterator[Strategy]:
        if has_strategy():
            raise RuntimeError("Must not nest tf.distribute.Strategy scopes.")
        yield strategy

    def colocate_vars_with(self, colocate_with_variable: Any) -> AbstractContextManager[Any]:
        require_scope(self._container_strategy())
        return colocate_with(colocate_with_variable)

    def variable_created_in_scope(self, v: Any) -> bool:
        return v._distribute_strategy is None

    def _call_for_each_replica(self, fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        with ReplicaContext(self._container_strategy(), replica_zero()):
            return fn(*args, **kwargs)

    def _update(self, place: Any, fn: Callable[..., Any], args: Any, kwargs: Any, group: bool) -> Any:
        with UpdateContext(place):
            result = fn(*args, **kwargs)
        return result if group else nest.map_structure(self._local_results, result)

    @property
    def worker_devices(self) -> tuple[str, ...]:
        raise RuntimeError("worker_devices() method unsupported by default tf.distribute.Strategy.")

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        raise RuntimeError("parameter_devices() method unsupported by default tf.distribute.Strategy.")

    def non_slot_devices(self, var_list: Any) -> Any:
        return min(var_list, key=lambda v: v.name)


class _DefaultDistributionStrategy(Strategy):
    """The strategy of programs without one."""

    _is_default = True

    def __init__(self) -> None:
        super().__init__(_DefaultDistributionExtended(self))
        self._replica_context = ReplicaContext(self, 0)

    def __deepcopy__(self, memo: Any) -> Strategy:
        raise RuntimeError("Should only create a single instance of _DefaultDistributionStrategy")


@cache
def default_strategy() -> _DefaultDistributionStrategy:
    """The one strategy of programs without one."""
    return _DefaultDistributionStrategy()


def get_loss_reduction() -> ReduceOp:
    """How the losses of replicas become one: the mean, in an estimator's training, of losses that are means."""
    if not get_strategy()._scale_loss_for_estimator:
        return ReduceOp.SUM
    is_sum = getattr(default_graph(), "_last_loss_reduction", None) == "weighted_sum"
    return ReduceOp.SUM if is_sum else ReduceOp.MEAN
