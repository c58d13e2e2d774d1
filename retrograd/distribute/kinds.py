"""The kinds of strategies, each of which is here one replica on one device."""

from __future__ import annotations

import enum
import json
import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from retrograd.distribute.contexts import ReduceOp, UpdateContext
from retrograd.distribute.strategies import Strategy, StrategyExtended
from retrograd.graph import nest
from retrograd.graph.devices import DeviceSpec
from retrograd.graph.scopes import colocate_with, device, name_scope
from retrograd.ops import arrays, control
from retrograd.state.resource import ResourceVariable


def _canonical(name: str) -> str:
    """The full name of a device, but for its job."""
    base = DeviceSpec(replica=0, task=0, device_type="CPU", device_index=0)
    return base.make_merged_spec(DeviceSpec.from_string(name or "")).to_string()


def _one_replica(kind: str, devices: Sequence[str]) -> str:
    """The only device.

    Raises:
      ValueError: there are several: a replica on each would be trained.
    """
    assert devices, "Must specify at least one device."
    if len(devices) == 1:
        return _canonical(devices[0])
    error = ValueError(f"{kind} over {len(devices)} devices: {', '.join(devices)}")
    error.add_note(
        "  Why:   a strategy is one replica here, on one device, all of whose cores XLA uses\n"
        f"  Fix:   tf.distribute.{kind}() and a batch {len(devices)} times as large, which trains the same"
    )
    raise error


def _one_worker(kind: str) -> None:
    """Check that TF_CONFIG names no second task that would train, too."""
    cluster = json.loads(os.environ.get("TF_CONFIG", "{}")).get("cluster", {})
    tasks = [address for job, listed in cluster.items() if job != "evaluator" for address in listed]
    if len(tasks) > 1:
        error = ValueError(f"{kind} over the {len(tasks)} tasks of TF_CONFIG: {', '.join(tasks)}")
        error.add_note(
            "  Why:   a strategy is one process here\n"
            "  Fix:   del os.environ['TF_CONFIG'], and train with the whole batch in this process"
        )
        raise error


# -- one device ----------------------------------------------------------------------------------


class OneDeviceExtended(StrategyExtended):
    """All variables and ops on one device."""

    def __init__(self, container_strategy: Strategy, device: str) -> None:
        super().__init__(container_strategy)
        self._devices = (_canonical(device),)


class OneDeviceStrategy(Strategy):
    """All variables and ops on one device."""

    def __init__(self, device: str) -> None:
        super().__init__(OneDeviceExtended(self, device))


class _BetweenDevices(StrategyExtended):
    """What strategies share that could have several devices: a sum is put on a device."""

    def _reduced(self, reduce_op: ReduceOp, value: Any) -> Any:
        if reduce_op is ReduceOp.MEAN or (isinstance(value, int) and value == 0):
            return value
        with device(self._devices[0]):
            return arrays.identity(value)


# -- mirrored ------------------------------------------------------------------------------------


class MirroredVariable(ResourceVariable):
    """A variable with a copy on each device: here on one."""

    _strategy: Any = None

    @property
    def _distribute_strategy(self) -> Any:
        return self._strategy

    @property
    def initializer(self) -> Any:
        """The op that gives every copy the initial value."""
        return super().initializer if self.graph.finalized else control.group(super().initializer)

    @property
    def values(self) -> tuple[Any, ...]:
        """The copies."""
        return (self,)

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices of the copies."""
        return (self.device,)

    @property
    def primary(self) -> Any:
        """The first copy."""
        return self

    def get(self, device: Any = None) -> Any:
        """The copy on a device."""
        return self


class MirroredExtended(_BetweenDevices):
    """A copy of each variable on each device, updated by the sum of the replicas' gradients."""

    def __init__(self, container_strategy: Strategy, devices: Sequence[str], cross_device_ops: Any = None) -> None:
        super().__init__(container_strategy)
        self._cross_device_ops = cross_device_ops
        self._devices = (_one_replica(type(container_strategy).__name__, devices),)

    def _create_variable(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        kwargs.pop("colocate_with", None)
        with device(self._devices[0]):
            variable = next_creator(**kwargs)
        if type(variable) is ResourceVariable:
            variable.__class__ = MirroredVariable
            variable._strategy = kwargs["distribute_strategy"]  # type: ignore[attr-defined]
        return variable

    def _update(self, place: Any, fn: Callable[..., Any], args: Any, kwargs: Any, group: bool) -> Any:
        with device(self._devices[0]), UpdateContext(self._devices[0]), name_scope("update_0"):
            result = fn(*args, **kwargs)
        return result if group else nest.map_structure(self._local_results, result)

    def _update_config_proto(self, config_proto: Any) -> Any:
        config = super()._update_config_proto(config_proto)
        config.isolate_session_state = True
        return config


class MirroredStrategy(Strategy):
    """A replica on each device, with copies of all variables; the gradients of all are summed.

    Raises:
      ValueError: there are several devices.
    """

    def __init__(self, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> None:
        super().__init__(MirroredExtended(self, devices or ("/device:CPU:0",), cross_device_ops))


class ContribMirroredStrategy(Strategy):
    """``MirroredStrategy`` as ``tf.contrib.distribute`` makes it: on so many GPUs."""

    def __init__(
        self,
        devices: Sequence[str] | None = None,
        num_gpus: int | None = None,
        num_gpus_per_worker: int | None = None,
        cross_device_ops: Any = None,
        auto_shard_dataset: bool = False,
        cross_tower_ops: Any = None,
    ) -> None:
        assert not (cross_device_ops and cross_tower_ops)
        if num_gpus is not None and num_gpus_per_worker is not None:
            raise ValueError("You cannot specify both `num_gpus` and `num_gpus_per_worker`.")
        num_gpus = num_gpus_per_worker if num_gpus is None else num_gpus
        if devices is not None and num_gpus is not None:
            raise ValueError("Must only specify one of `devices` and `num_gpus_per_worker`.")
        devices = devices or _gpus_or_cpu(num_gpus or 0)
        super().__init__(MirroredExtended(self, devices, cross_device_ops or cross_tower_ops))


def _gpus_or_cpu(count: int) -> tuple[str, ...]:
    return tuple(f"/device:GPU:{i}" for i in range(count)) or ("/device:CPU:0",)


class CollectiveCommunication(enum.Enum):
    """How workers talk to each other."""

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


class MultiWorkerMirroredStrategy(Strategy):
    """``MirroredStrategy`` over the devices of several machines: here of one process.

    Raises:
      ValueError: TF_CONFIG names several tasks.
    """

    def __init__(self, communication: CollectiveCommunication = CollectiveCommunication.AUTO) -> None:
        _one_worker(type(self).__name__)
        super().__init__(MirroredExtended(self, ("/device:CPU:0",)))


class CollectiveAllReduceStrategy(Strategy):
    """``MultiWorkerMirroredStrategy`` on so many GPUs of each worker."""

    def __init__(
        self, num_gpus_per_worker: int = 0, communication: CollectiveCommunication = CollectiveCommunication.AUTO
    ) -> None:
        _one_worker(type(self).__name__)
        super().__init__(MirroredExtended(self, _gpus_or_cpu(num_gpus_per_worker)))


# -- parameters apart ----------------------------------------------------------------------------


class ParameterServerExtended(_BetweenDevices):
    """Variables on one device, the computation on another."""

    _cuts_variables = True

    def __init__(self, container_strategy: Strategy, compute_device: str, parameter_device: str = "/cpu:0") -> None:
        super().__init__(container_strategy)
        self._devices = (_canonical(compute_device),)
        self._parameter_device = _canonical(parameter_device)

    def _create_variable(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        beside = kwargs.pop("colocate_with", None)
        with device(self._parameter_device) if beside is None else colocate_with(beside):
            return next_creator(**kwargs)

    def _update(self, place: Any, fn: Callable[..., Any], args: Any, kwargs: Any, group: bool) -> Any:
        where = device(place) if isinstance(place, str) else colocate_with(place)
        with where, UpdateContext(place):
            result = fn(*args, **kwargs)
        return result if group else nest.map_structure(self._local_results, result)

    def non_slot_devices(self, var_list: Any) -> Any:
        return min(var_list, key=lambda v: v.name)

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        return (self._parameter_device,)


class ParameterServerStrategy(Strategy):
    """Variables on parameter servers, a replica on each worker: here in one process.

    Raises:
      ValueError: TF_CONFIG names several tasks.
    """

    def __init__(self, cluster_resolver: Any = None) -> None:
        _one_worker(type(self).__name__)
        super().__init__(ParameterServerExtended(self, "/device:CPU:0"))


class ContribParameterServerStrategy(Strategy):
    """``ParameterServerStrategy`` as ``tf.contrib.distribute`` makes it: with so many GPUs of each worker."""

    def __init__(self, num_gpus_per_worker: int = 0) -> None:
        _one_worker("ParameterServerStrategy")
        compute = _one_replica("ParameterServerStrategy", _gpus_or_cpu(num_gpus_per_worker))
        super().__init__(ParameterServerExtended(self, compute))


class CentralStorageStrategy(Strategy):
    """Variables on one device, a replica on each of several others: here on one."""

    def __init__(self, compute_devices: Sequence[str] | None = None, parameter_device: str | None = None) -> None:
        compute = _one_replica(type(self).__name__, compute_devices or ("/device:CPU:0",))
        super().__init__(ParameterServerExtended(self, compute, parameter_device or "/cpu:0"))


# -- how devices add up --------------------------------------------------------------------------


class CrossDeviceOps:
    """How the values of devices become one: of one device, the value itself."""

    def reduce(self, reduce_op: Any, per_replica_value: Any, destinations: Any) -> Any:
        """The sum or the mean."""
        return per_replica_value

    def batch_reduce(self, reduce_op: Any, value_destination_pairs: Any) -> list[Any]:
        """The same for pairs of values and destinations."""
        return [value for value, _ in value_destination_pairs]

    def broadcast(self, tensor: Any, destinations: Any) -> Any:
        """The value on all devices."""
        return tensor


class ReductionToOneDevice(CrossDeviceOps):
    """Copies all values to one device and adds them there."""

    def __init__(self, reduce_to_device: Any = None, accumulation_fn: Callable[..., Any] | None = None) -> None:
        self.reduce_to_device = reduce_to_device
        self.accumulation_fn = accumulation_fn


class AllReduceCrossDeviceOps(CrossDeviceOps):
    """Adds values up on all devices."""

    def __init__(
        self,
        all_reduce_alg: str = "nccl",
        num_packs: int = 1,
        agg_small_grads_max_bytes: int = 0,
        agg_small_grads_max_group: int = 10,
    ) -> None:
        self._all_reduce_alg = all_reduce_alg
        self._num_packs = num_packs


class NcclAllReduce(AllReduceCrossDeviceOps):
    """Adds values up by NCCL."""

    def __init__(self, num_packs: int = 1) -> None:
        super().__init__("nccl", num_packs)


class HierarchicalCopyAllReduce(AllReduceCrossDeviceOps):
    """Adds values up in a hierarchy of devices."""

    def __init__(self, num_packs: int = 1) -> None:
        super().__init__("hierarchical_copy", num_packs)


class DistributeConfig(NamedTuple):
    """The strategies of an estimator's training and evaluation, and a cluster."""

    train_distribute: Any = None
    eval_distribute: Any = None
    remote_cluster: Any = None
