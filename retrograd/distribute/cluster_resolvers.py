"""Resolvers of clusters: the addresses of tasks, told by the program or by TF_CONFIG."""

from __future__ import annotations

import json
import os
from typing import Any

from retrograd.run.clusters import ClusterSpec


def _url(address: str, rpc_layer: str | None) -> str:
    return f"{rpc_layer}://{address}" if rpc_layer else address


class ClusterResolver:
    """The addresses of a cluster's tasks."""

    task_type: Any = None
    task_id: Any = None
    rpc_layer: Any = None

    def cluster_spec(self) -> ClusterSpec:
        """The cluster."""
        raise NotImplementedError()

    def master(self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None) -> str:
        """The address of a session's server."""
        raise NotImplementedError()

    def num_accelerators(self, task_type: Any = None, task_id: Any = None, config_proto: Any = None) -> dict[str, int]:
        """The number of accelerators of a task, by their kind: here none are told apart."""
        return {}

    @property
    def environment(self) -> str:
        """Where the cluster is: '', or 'google'."""
        return ""


class SimpleClusterResolver(ClusterResolver):
    """A cluster that the program tells.

    Raises:
      TypeError: ``cluster_spec`` is no ``ClusterSpec``, or ``master`` no text.
    """

    def __init__(
        self,
        cluster_spec: ClusterSpec,
        master: str = "",
        task_type: str | None = None,
        task_id: int | None = None,
        environment: str = "",
        num_accelerators: dict[str, int] | None = None,
        rpc_layer: str | None = None,
    ) -> None:
        if not isinstance(cluster_spec, ClusterSpec):
            raise TypeError("cluster_spec must be a ClusterSpec.")
        if not isinstance(master, str):
            raise TypeError("master must be a string.")
        self._cluster_spec, self._master = cluster_spec, master
        self.task_type, self.task_id, self.rpc_layer = task_type, task_id, rpc_layer
        self._environment, self._num_accelerators = environment, num_accelerators

    def cluster_spec(self) -> ClusterSpec:
        return self._cluster_spec

    def master(self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None) -> str:
        known = task_type is not None and task_id is not None
        address = self._cluster_spec.task_address(task_type, task_id) if known else self._master
        return _url(address, rpc_layer or self.rpc_layer)

    def num_accelerators(self, task_type: Any = None, task_id: Any = None, config_proto: Any = None) -> dict[str, int]:
        return self._num_accelerators or {}

    @property
    def environment(self) -> str:
        return self._environment


class UnionResolver(ClusterResolver):
    """The tasks of several clusters together.

    Raises:
      ValueError: there is none.
      TypeError: one is no resolver.
      KeyError: by ``cluster_spec``, two tasks of a job have the same number.
    """

    def __init__(self, *args: ClusterResolver, **kwargs: Any) -> None:
        self.rpc_layer = kwargs.pop("rpc_layer", None)
        self.task_type, self.task_id = kwargs.pop("task_type", None), kwargs.pop("task_id", None)
        if kwargs:
            raise ValueError(f"Unexpected kwargs provided {kwargs!r}")
        if not args:
            raise ValueError("At least one ClusterResolver is required.")
        if not all(isinstance(resolver, ClusterResolver) for resolver in args):
            raise TypeError("All arguments must be a sub-class of `ClusterResolver.`")
        self._cluster_resolvers = args
        self.rpc_layer = self.rpc_layer or args[0].rpc_layer
        self.task_type = self.task_type or args[0].task_type
        self.task_id = self.task_id or args[0].task_id

    def cluster_spec(self) -> ClusterSpec:
        merged: dict[str, Any] = {}
        for resolver in self._cluster_resolvers:
            for job, tasks in resolver.cluster_spec().as_dict().items():
                if job not in merged:
                    merged[job] = tasks
                elif isinstance(tasks, list) and isinstance(merged[job], list):
                    merged[job] = merged[job] + tasks
                else:
                    ours, theirs = (dict(enumerate(t)) if isinstance(t, list) else t for t in (merged[job], tasks))
                    if ours.keys() & theirs.keys():
                        raise KeyError(
                            f"Duplicate keys detected when merging two ClusterSpecs: {set(ours) & set(theirs)!r}"
                        )
                    merged[job] = {**ours, **theirs}
        return ClusterSpec(merged)

    def master(self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None) -> str:
        if task_type is not None and task_id is not None:
            return _url(self.cluster_spec().task_address(task_type, task_id), rpc_layer or self.rpc_layer)
        return self._cluster_resolvers[0].master(rpc_layer=rpc_layer)

    @property
    def environment(self) -> str:
        return self._cluster_resolvers[0].environment


def _told() -> dict[str, Any]:
    told: dict[str, Any] = json.loads(os.environ.get("TF_CONFIG", "{}"))
    return told


class TFConfigClusterResolver(ClusterResolver):
    """The cluster of the environment variable TF_CONFIG, and this process's task of it."""

    def __init__(
        self,
        task_type: str | None = None,
        task_id: int | None = None,
        rpc_layer: str | None = None,
        environment: str | None = None,
    ) -> None:
        task = _told().get("task", {})
        self.task_type = task.get("type") if task_type is None else str(task_type)
        self.task_id = task.get("index") if task_type is None or task_id is None else int(task_id)
        self.rpc_layer = _told().get("rpc_layer") if rpc_layer is None else rpc_layer
        self._environment = environment

    def cluster_spec(self) -> ClusterSpec:
        return ClusterSpec(_told().get("cluster", {}))

    def master(self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None) -> str:
        told = _told()
        if "session_master" in told:
            master: str = told["session_master"]
            return master
        cluster = self.cluster_spec()
        if not cluster.jobs or (len(cluster.jobs) == 1 and len(cluster.job_tasks(cluster.jobs[0])) == 1):
            return ""
        task_type = self.task_type if task_type is None else task_type
        task_id = self.task_id if task_id is None else task_id
        return _url(cluster.task_address(task_type, task_id), self.rpc_layer)

    @property
    def environment(self) -> Any:
        return self._environment


_ENDPOINTS = "KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS"  # where the cluster manager tells a program its TPUs
_OF_GOOGLE = ("localhost:", "/bns", "uptc://")


class TPUClusterResolver(ClusterResolver):
    """The address of a TPU's server, as the program or its environment tells it; nobody is asked.

    Source: TensorFlow 1.15.5, ``tpu_cluster_resolver``.

    Raises:
      ValueError: no TPU is named, neither here nor by the environment.
      NotImplementedError: several are.
      ImportError: ``tpu`` is a name, whose address is known to a service of Google Cloud alone.
    """

    def __init__(
        self,
        tpu: Any = None,
        zone: str | None = None,
        project: str | None = None,
        job_name: str = "worker",
        coordinator_name: str | None = None,
        coordinator_address: str | None = None,
        credentials: Any = "default",
        service: Any = None,
        discovery_url: str | None = None,
    ) -> None:
        if isinstance(tpu, list):
            if not tpu:
                raise ValueError("At least one TPU must be specified.")
            if len(tpu) != 1:
                raise NotImplementedError("Using multiple TPUs in a single session is not yet implemented")
            tpu = tpu[0]
        if tpu is None:
            tpu = os.environ.get(_ENDPOINTS) or os.environ.get("TPU_NAME")
        if tpu is None:
            raise ValueError("Please provide a TPU Name to connect to.")
        tpu = tpu.decode() if isinstance(tpu, bytes) else tpu
        within_google = tpu in ("", "local") or tpu.startswith(_OF_GOOGLE)
        if not within_google and not tpu.startswith("grpc://"):
            raise ImportError(
                f"The address of the TPU {tpu!r} is known to a service of Google Cloud, and that is not asked here.\n"
                f"  Fix:   TPUClusterResolver('grpc://HOST:PORT'), or the program without a TPU"
            )
        if tpu.startswith("/bns") and tpu.rpartition(":")[2].isdecimal():
            tpu = tpu.rpartition(":")[0]
        self.task_type, self.task_id, self.rpc_layer = job_name, 0, None if within_google else "grpc"
        self._environment = "google" if within_google else ""
        self._tpu = tpu if within_google else tpu.removeprefix("grpc://")
        self._coordinator = {coordinator_name: [coordinator_address]} if coordinator_address else {}

    def master(self, task_type: Any = None, task_id: Any = None, rpc_layer: Any = None) -> str:
        return _url(self._tpu.split(",")[0], rpc_layer or self.rpc_layer)

    def get_master(self) -> str:
        """The address of the TPU's server."""
        return self.master()

    def get_job_name(self) -> Any:
        """The job of the TPU's tasks, which a graph's devices name if the address was looked up: here never."""
        return None

    def cluster_spec(self) -> Any:
        if self.rpc_layer is None:
            return None
        addresses = [address.removeprefix("grpc://") for address in self._tpu.split(",")]
        return ClusterSpec({self.task_type: addresses, **self._coordinator})

    @property
    def environment(self) -> str:
        return self._environment
