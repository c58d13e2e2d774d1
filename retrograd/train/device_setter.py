"""Where a replica places its ops: variables on parameter servers, the rest on a worker."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.graph import log
from retrograd.graph.devices import DeviceSpec
from retrograd.graph.shapes import TensorShape
from retrograd.run.clusters import ClusterSpec

STANDARD_PS_OPS = (
    "Variable", "VariableV2", "AutoReloadVariable", "MutableHashTable", "MutableHashTableV2",
    "MutableHashTableOfTensors", "MutableHashTableOfTensorsV2", "MutableDenseHashTable", "MutableDenseHashTableV2",
    "VarHandleOp", "BoostedTreesEnsembleResourceHandleOp", "BoostedTreesQuantileStreamResourceHandleOp",
    "ResourceConditionalAccumulator",
)  # fmt: skip


def replica_device_setter(
    ps_tasks: int = 0,
    ps_device: str = "/job:ps",
    worker_device: str = "/job:worker",
    merge_devices: bool = True,
    cluster: Any = None,
    ps_ops: Sequence[str] | None = None,
    ps_strategy: Callable[[Any], int] | None = None,
) -> Callable[[Any], str] | None:
    """A device function: ``ps_ops`` go to the parameter servers, one after the other, all else to the worker.

    None if there is no parameter server.

    Raises:
      TypeError: ``ps_strategy``, which says for an op the number of its server, is not callable.
    """
    if cluster is not None:
        jobs = ClusterSpec(cluster).as_dict()
        job = DeviceSpec.from_string(ps_device).job
        if job not in jobs:
            return None
        ps_tasks = len(jobs[job])
    if ps_tasks == 0:
        return None
    if not merge_devices:
        log.warning("DEPRECATION: It is recommended to set merge_devices=true in replica_device_setter")
    strategy = RoundRobin(ps_tasks) if ps_strategy is None else ps_strategy
    if not callable(strategy):
        raise TypeError("ps_strategy must be callable")
    wanted = frozenset(STANDARD_PS_OPS if ps_ops is None else ps_ops)

    def device_of(op: Any) -> str:
        if not merge_devices and op.device:
            return str(op.device)
        current = DeviceSpec.from_string(op.device or "")
        if ps_device and (op.op if hasattr(op, "attr") else op.type) in wanted:
            device = DeviceSpec.from_string(ps_device)
            if device.job and (not current.job or current.job == device.job):
                device = device.replace(task=strategy(op))
        else:
            device = DeviceSpec.from_string(worker_device or "")
        return device.make_merged_spec(current).to_string()

    return device_of


class RoundRobin:
    """One server after the other."""

    def __init__(self, num_tasks: int) -> None:
        self._num_tasks = num_tasks
        self._next_task = 0

    def __call__(self, op: Any) -> int:
        task = self._next_task
        self._next_task = (task + 1) % self._num_tasks
        return task


class RandomStrategy:
    """The server that a hash of the op's name says."""

    def __init__(self, num_ps_tasks: int, seed: int = 0) -> None:
        self._num_tasks = num_ps_tasks
        self._seed = seed

    def __call__(self, op: Any) -> int:
        return int(hashlib.md5(f"{op.name}_{self._seed}".encode()).hexdigest(), 16) % self._num_tasks


class GreedyLoadBalancingStrategy:
    """The server with the least load so far; ``load_fn`` says how much an op adds."""

    def __init__(self, num_tasks: int, load_fn: Callable[[Any], float]) -> None:
        self._load_fn = load_fn
        self._ps_loads = np.zeros(num_tasks)

    def __call__(self, op: Any) -> int:
        task = int(np.argmin(self._ps_loads))
        self._ps_loads[task] += self._load_fn(op)
        return task


def byte_size_load_fn(op: Any) -> int:
    """The bytes of an op's output.

    Raises:
      ValueError: it has not one output, or one of unknown shape.
    """
    if len(op.outputs) != 1:
        raise ValueError(f"Op {op} must have a single output")
    output = op.outputs[0]
    shape = output.shape
    if not shape.is_fully_defined():
        shape = TensorShape(op.get_attr("shape"))  # a variable knows its own
    shape.assert_is_fully_defined()
    return int(shape.num_elements() * output.dtype.size)
