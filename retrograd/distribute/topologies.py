"""How the cores of a TPU system stand in a mesh: arithmetic on coordinates, which needs no TPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.files.messages import classes_of

_TOPOLOGY = {
    "TopologyProto": [
        ("mesh_shape", 1, "*int32"),
        ("num_tasks", 2, "int32"),
        ("num_tpu_devices_per_task", 3, "int32"),
        ("device_coordinates", 4, "*int32"),
    ]
}


class Topology:
    """Coordinates of shape ``[tasks, cores of a task, 3]`` in a mesh of ``mesh_shape``.

    Either ``serialized``, a ``TopologyProto``, says both, or the two arguments behind it.

    Raises:
      ValueError: the mesh has not three positive sizes, or the coordinates have another shape.
    """

    def __init__(self, serialized: bytes | None = None, mesh_shape: Any = None, device_coordinates: Any = None) -> None:
        if serialized:
            proto = classes_of(_TOPOLOGY, "tensorflow.tpu")["tensorflow.tpu.TopologyProto"].FromString(serialized)
            mesh_shape = proto.mesh_shape
            sizes = proto.num_tasks, proto.num_tpu_devices_per_task, len(mesh_shape)
            device_coordinates = np.array(proto.device_coordinates, np.int32).reshape(sizes)
        self._mesh_shape = np.asarray(mesh_shape, np.int32)
        self._device_coordinates = np.asarray(device_coordinates, np.int32)
        if self._mesh_shape.shape != (3,) or (self._mesh_shape < 1).any():
            raise ValueError(f"`mesh_shape` must be a sequence of 3 positive entries; got {self._mesh_shape}")
        if self._device_coordinates.ndim != 3 or self._device_coordinates.shape[2] != 3:
            raise ValueError(
                "`device_coordinates` must be a rank 3 int32 array with minor dimension equal to the mesh shape rank"
            )
        tasks, cores, _ = self._device_coordinates.shape
        self._places = np.full((*self._mesh_shape, 2), -1, np.int32)  # the task and its core
        for place in np.ndindex(tasks, cores):
            self._places[tuple(self._device_coordinates[place])] = place

    @property
    def mesh_shape(self) -> Any:
        """The sizes of the mesh."""
        return self._mesh_shape

    @property
    def mesh_rank(self) -> int:
        """How many sizes the mesh has."""
        return len(self._mesh_shape)

    @property
    def device_coordinates(self) -> Any:
        """Where each core of each task stands."""
        return self._device_coordinates

    @property
    def num_tasks(self) -> int:
        """How many tasks there are."""
        return int(self._device_coordinates.shape[0])

    @property
    def num_tpus_per_task(self) -> int:
        """How many cores a task has."""
        return int(self._device_coordinates.shape[1])

    def task_ordinal_at_coordinates(self, device_coordinates: Any) -> Any:
        """The task of the core that stands there."""
        return self._places[tuple(device_coordinates)][0]

    def tpu_device_ordinal_at_coordinates(self, device_coordinates: Any) -> Any:
        """The number of the core that stands there, within its task."""
        return self._places[tuple(device_coordinates)][1]

    def cpu_device_name_at_coordinates(self, device_coordinates: Any, job: str | None = None) -> str:
        """The device of the task of the core that stands there."""
        return f"{_task(job, self.task_ordinal_at_coordinates(device_coordinates))}/device:CPU:0"

    def tpu_device_name_at_coordinates(self, device_coordinates: Any, job: str | None = None) -> str:
        """The device of the core that stands there."""
        core = self.tpu_device_ordinal_at_coordinates(device_coordinates)
        return f"{_task(job, self.task_ordinal_at_coordinates(device_coordinates))}/device:TPU:{core}"

    def serialized(self) -> bytes:
        """A ``TopologyProto`` of it."""
        proto = classes_of(_TOPOLOGY, "tensorflow.tpu")["tensorflow.tpu.TopologyProto"](
            mesh_shape=self._mesh_shape.tolist(),
            num_tasks=self.num_tasks,
            num_tpu_devices_per_task=self.num_tpus_per_task,
            device_coordinates=self._device_coordinates.ravel().tolist(),
        )
        return proto.SerializeToString()  # type: ignore[no-any-return]


def _task(job: str | None, number: int) -> str:
    return f"/task:{number}" if job is None else f"/job:{job}/task:{number}"
