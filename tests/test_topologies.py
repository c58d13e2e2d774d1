"""The mesh of a TPU system, as TensorFlow 1.15.5 describes it."""

import numpy as np
import pytest

CORES = np.array([[[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1]], [[1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]]])
BYTES = (
    b'\n\x03\x02\x02\x02\x10\x02\x18\x04"\x18\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x01\x01'
    b"\x01\x00\x00\x01\x00\x01\x01\x01\x00\x01\x01\x01"
)


def test_cores_have_tasks_and_names():
    from retrograd.tf.python.tpu import device_assignment, tpu_feed  # noqa: F401  as mesh_tensorflow does
    from retrograd.tf.python.tpu.ops import tpu_ops  # noqa: F401
    from retrograd.tf.python.tpu.topology import Topology

    given = Topology(mesh_shape=[2, 2, 2], device_coordinates=CORES)
    assert given.serialized() == BYTES
    for topology in (given, Topology(serialized=BYTES)):
        assert topology.mesh_shape.tolist() == [2, 2, 2]
        assert (topology.mesh_rank, topology.num_tasks, topology.num_tpus_per_task) == (3, 2, 4)
        assert topology.device_coordinates.dtype == np.int32
        assert topology.device_coordinates.tolist() == CORES.tolist()
        assert topology.task_ordinal_at_coordinates([1, 0, 1]) == topology.tpu_device_ordinal_at_coordinates([1, 0, 1])
        assert topology.cpu_device_name_at_coordinates([1, 0, 1]) == "/task:1/device:CPU:0"
        assert topology.tpu_device_name_at_coordinates([1, 0, 1], job="w") == "/job:w/task:1/device:TPU:1"
    with pytest.raises(ValueError, match=r"`mesh_shape` must be a sequence of 3 positive entries; got \[2 2 0\]"):
        Topology(mesh_shape=[2, 2, 0], device_coordinates=CORES)
    with pytest.raises(ValueError, match="must be a rank 3 int32 array with minor dimension equal to the mesh"):
        Topology(mesh_shape=[2, 2, 2], device_coordinates=CORES[0])
