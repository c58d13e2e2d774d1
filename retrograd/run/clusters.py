"""Clusters whose tasks are all this process: ``ClusterSpec``, ``Server``, and what the sessions of a server share."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from retrograd.files.messages import classes_of
from retrograd.graph import errors
from retrograd.graph.devices import DeviceSpec
from retrograd.graph.operation import Operation
from retrograd.graph.text import as_text
from retrograd.run.devices import DeviceAttributes, local_devices
from retrograd.run.store import Store


class ClusterSpec:
    """The addresses of the tasks of each job.

    >>> ClusterSpec({"ps": ["a:1"], "worker": ["b:1", "c:1"]}).num_tasks("worker")
    2

    Raises:
      TypeError: it is neither a dictionary of lists or dictionaries, nor a ``ClusterDef``, nor a ``ClusterSpec``.
      ValueError: by a method, for a job or a task that is not there.
    """

    def __init__(self, cluster: Any) -> None:
        self._jobs: dict[str, dict[int, str]] = {}
        if isinstance(cluster, ClusterSpec):
            cluster = cluster._jobs
        if isinstance(cluster, Mapping):
            for job, tasks in cluster.items():
                if not isinstance(tasks, list | tuple | dict):
                    raise TypeError(
                        f"The tasks for job {job!r} must be a list or a dictionary from integers to strings."
                    )
                numbered = tasks.items() if isinstance(tasks, dict) else enumerate(tasks)
                self._jobs[_text(job, f"Job name {job!r}")] = {
                    i: _text(task, f"Task address {task!r}") for i, task in numbered
                }
        elif hasattr(cluster, "job") and hasattr(cluster, "DESCRIPTOR"):
            self._jobs = {job.name: dict(job.tasks.items()) for job in cluster.job}
        else:
            raise TypeError(
                "`cluster` must be a dictionary mapping one or more job names to lists of network addresses, "
                "or a `ClusterDef` protocol buffer"
            )

    def __bool__(self) -> bool:
        return bool(self._jobs)

    def __eq__(self, other: object) -> bool:
        return self._jobs == (other._jobs if isinstance(other, ClusterSpec) else other)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        jobs = self.as_dict()
        return "ClusterSpec({" + ", ".join(f"{job!r}: {jobs[job]!r}" for job in sorted(jobs)) + "})"

    def as_dict(self) -> dict[str, Any]:
        """The tasks of each job: a list where they are numbered without a gap, else a dictionary."""
        return {
            job: self.job_tasks(job) if tasks and max(tasks) + 1 == len(tasks) else dict(sorted(tasks.items()))
            for job, tasks in self._jobs.items()
        }

    def as_cluster_def(self) -> Any:
        """The same as a protocol buffer."""
        from tensorboard.compat.proto.cluster_pb2 import ClusterDef

        cluster = ClusterDef()
        for name, tasks in sorted(self._jobs.items()):
            job = cluster.job.add(name=name)
            for i, address in sorted(tasks.items()):
                job.tasks[i] = address
        return cluster

    @property
    def jobs(self) -> list[str]:
        return list(self._jobs)

    def _tasks(self, job_name: str) -> dict[int, str]:
        if job_name not in self._jobs:
            raise ValueError(f"No such job in cluster: {job_name!r}")
        return self._jobs[job_name]

    def num_tasks(self, job_name: str) -> int:
        return len(self._tasks(job_name))

    def task_indices(self, job_name: str) -> list[int]:
        return sorted(self._tasks(job_name))

    def task_address(self, job_name: str, task_index: int) -> str:
        tasks = self._tasks(job_name)
        if task_index not in tasks:
            raise ValueError(f"No task with index {task_index!r} in job {job_name!r}")
        return tasks[task_index]

    def job_tasks(self, job_name: str) -> list[str | None]:
        """The addresses in the order of the tasks, None where there is no task."""
        tasks = self._tasks(job_name)
        return [tasks.get(i) for i in range(max(tasks) + 1)]


def _text(value: Any, what: str) -> str:
    try:
        return as_text(value)
    except TypeError:
        raise TypeError(f"{what} must be bytes or unicode") from None


_MESSAGES = {
    "ServerDef": [
        ("cluster", 1, "ClusterDef"),
        ("job_name", 2, "string"),
        ("task_index", 3, "int32"),
        ("default_session_config", 4, "ConfigProto"),
        ("protocol", 5, "string"),
    ]
}


@cache
def _server_def_class() -> Any:
    """The class of ``ServerDef`` messages: which task of which cluster a server is."""
    from tensorboard.compat.proto import cluster_pb2, config_pb2

    others = {"ClusterDef": cluster_pb2.ClusterDef, "ConfigProto": config_pb2.ConfigProto}
    return classes_of(_MESSAGES, "retrograd", others)["retrograd.ServerDef"]


def __getattr__(name: str) -> Any:
    """The class is found under its name."""
    if name != "ServerDef":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _server_def_class()


_ports = itertools.count(20000)
_served: dict[str, dict[tuple[str, int], Server]] = {}  # of each cluster, by task
_by_target: dict[str, Server] = {}
_stores: dict[str, SharedStore] = {}  # of each cluster


def unused_port() -> int:
    """A number that no other server of this process has; no port is opened."""
    return next(_ports)


class SharedStore(Store):
    """What the sessions on the servers of a cluster share, until it is reset."""

    def __init__(self) -> None:
        super().__init__()
        self.resets = 0  # sessions from before the last one are of no more use

    def _place_of(self, op: Operation) -> str:
        """The task that keeps a variable, as its device says: each worker has its local variables."""
        device = DeviceSpec.from_string(op.device or "")
        return "" if device.job is None else f"/job:{device.job}/task:{device.task or 0}/"


class Server:
    """One task of a cluster. All servers of a cluster are this process, and their sessions share its variables.

    >>> server = Server.create_local_server()
    >>> server.target.startswith("grpc://localhost:")
    True

    Raises:
      TypeError: the first argument describes no cluster.
      ValueError: the cluster has several jobs or tasks, and none is named.
      InternalError: the cluster has no such job.
      InvalidArgumentError: the job has no such task.
    """

    def __init__(
        self,
        server_or_cluster_def: Any,
        job_name: str | None = None,
        task_index: int | None = None,
        protocol: str | None = None,
        config: Any = None,
        start: bool = True,
    ) -> None:
        given = server_or_cluster_def
        if hasattr(given, "default_session_config"):  # a ``ServerDef``
            job_name = given.job_name if job_name is None else job_name
            task_index = given.task_index if task_index is None else task_index
            protocol = protocol or given.protocol
            if config is None and given.HasField("default_session_config"):
                config = given.default_session_config
            given = given.cluster
        try:
            self._cluster = cluster = ClusterSpec(given)
        except TypeError:
            raise TypeError(
                "Could not convert `server_or_cluster_def` to a `tf.train.ServerDef` or `tf.train.ClusterSpec`."
            ) from None
        if job_name is None:
            if len(cluster.jobs) != 1:
                raise ValueError("Must specify an explicit `job_name`.")
            job_name = cluster.jobs[0]
        if task_index is None:
            if len(cluster.task_indices(job_name)) != 1:
                raise ValueError("Must specify an explicit `task_index`.")
            task_index = cluster.task_indices(job_name)[0]
        if job_name not in cluster.jobs:
            raise errors.InternalError(None, None, f'Job "{job_name}" was not defined in cluster')
        if task_index not in cluster.task_indices(job_name):
            raise errors.InvalidArgumentError(None, None, f'Task {task_index} was not defined in job "{job_name}"')
        address = cluster.task_address(job_name, task_index)
        port = address.rpartition(":")[2]
        if not port.isdigit():
            text = f'Could not parse port for local server from "{address}".'
            raise errors.InvalidArgumentError(None, None, text)
        self._port = str(unused_port()) if port == "0" else port
        self._key = str(cluster) if port != "0" else f"{cluster} on {self._port}"
        self._task = (job_name, task_index)
        self._def = _server_def_class()(
            cluster=cluster.as_cluster_def(), job_name=job_name, task_index=task_index, protocol=protocol or "grpc",
            default_session_config=config,
        )  # fmt: skip
        self._stopped = threading.Event()
        if start:
            self.start()

    def start(self) -> None:
        """Let sessions name this server as their target.

        Raises:
          UnknownError: a server of another task or cluster has its port.
        """
        other = _by_target.get(self.target)
        if other is not None and (other._key, other._task) != (self._key, self._task):
            raise errors.UnknownError(None, None, "Could not start gRPC server")
        _by_target[self.target] = self
        _served.setdefault(self._key, {})[self._task] = self

    def join(self) -> None:
        """Wait for ever, as a parameter server does.

        Raises:
          UnimplementedError: the cluster has tasks that are no servers of this process: nobody would ever come.
        """
        self.check_complete("join")
        self._stopped.wait()

    @property
    def server_def(self) -> Any:
        """Which task of which cluster it is, as a ``ServerDef``."""
        return self._def

    @property
    def target(self) -> str:
        """What a session names, to run on this server."""
        return f"grpc://localhost:{self._port}"

    @staticmethod
    def create_local_server(config: Any = None, start: bool = True) -> Server:
        """The one server of a cluster of one task."""
        return Server({"local": ["localhost:0"]}, protocol="grpc", config=config, start=start)

    def check_complete(self, asked_by: str) -> None:
        """Refuse a cluster of several processes."""
        here = _served.get(self._key, {})
        tasks = [(job, i) for job in self._cluster.jobs for i in self._cluster.task_indices(job)]
        away = [f"/job:{job}/task:{i}" for job, i in tasks if (job, i) not in here]
        if away:
            error = errors.UnimplementedError(
                None, None, f"{asked_by}: no server of this process is {', '.join(away)} of the cluster"
            )
            error.add_note("  Why:   the tasks of a cluster are threads of one process here; none is another process")
            error.add_note("  Fix:   server = tf.train.Server.create_local_server(), and no parameter server")
            raise error

    @property
    def store(self) -> SharedStore:
        """What the sessions of its cluster share."""
        return _stores.setdefault(self._key, SharedStore())


def _served_at(target: str | bytes) -> Server | None:
    return _by_target.get(as_text(target))


def default_config(target: str | bytes) -> Any:
    """The configuration of sessions on a server that have none of their own; None if it was made without one."""
    server = _served_at(target)
    has_one = server is not None and server.server_def.HasField("default_session_config")
    return server.server_def.default_session_config if server is not None and has_one else None


def store_of(target: str | bytes) -> SharedStore | None:
    """What the sessions on a server share; None if there is no such server in this process.

    Raises:
      UnimplementedError: the server's cluster has tasks that are no servers of this process.
    """
    server = _served_at(target)
    if server is None:
        return None
    server.check_complete("Session")
    return server.store


def devices_of(target: str | bytes, config: Any) -> list[DeviceAttributes]:
    """The devices that a session can use: those of all tasks of its cluster."""
    server = _served_at(target)
    if server is None:
        return local_devices(config)
    tasks = [(job, i) for job in server._cluster.jobs for i in server._cluster.task_indices(job)]
    return [device for job, i in tasks for device in local_devices(config, f"/job:{job}/replica:0/task:{i}")]


def reset(target: str | bytes, containers: Collection[str]) -> bool:
    """Forget the variables of a server's containers and end its sessions; False if there is no such server.

    The container of what names none is called after the server's job.
    """
    server = _served_at(target)
    if server is None:
        return False
    store = server.store
    names = ["" if name == server._task[0] else name for name in map(as_text, containers)]
    store.forget(names)
    store.resets += 1
    store.shared.wake()
    return True
