"""The names of ``tensorflow.compat.v2.test``."""

from retrograd.faces import missing
from retrograd.testing.benchmark import Benchmark, benchmark_config
from retrograd.testing.case import TensorFlowTestCase as TestCase
from retrograd.testing.cluster import create_local_cluster
from retrograd.testing.modes import (
    gpu_device_name,
    is_built_with_cuda,
    is_built_with_gpu_support,
    is_built_with_rocm,
    is_gpu_available,
    main,
)

__getattr__ = missing(__name__)
