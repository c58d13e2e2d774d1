"""The names of ``tensorflow.python.platform.test``."""

from retrograd.faces import missing
from retrograd.grad.checker import compute_gradient, compute_gradient_error
from retrograd.testing.case import TensorFlowTestCase as TestCase
from retrograd.testing.cluster import create_local_cluster
from retrograd.testing.modes import (
    get_temp_dir,
    gpu_device_name,
    is_built_with_cuda,
    is_built_with_gpu_support,
    is_built_with_rocm,
    is_gpu_available,
    main,
    test_src_dir_path,
)
from retrograd.testing.stubs import StubOutForTesting

_LAZY = {
    "Benchmark": "retrograd.testing.benchmark",
    "mock": "unittest",
}
__getattr__ = missing(__name__, _LAZY)
