"""The names of ``tensorflow.python.platform.benchmark``."""

from retrograd.faces import missing
from retrograd.testing.benchmark import Benchmark, benchmark_config
from retrograd.testing.benchmark import Benchmark as TensorFlowBenchmark

_LAZY = {
    "TensorFlowBenchmark": "retrograd.testing.benchmark",
    "benchmark_config": "retrograd.testing.benchmark",
}
__getattr__ = missing(__name__, _LAZY)
