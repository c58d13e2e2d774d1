"""The names of ``tensorflow.python.platform.benchmark``."""

from retrograd.faces import missing
from retrograd.testing.benchmark import ReportingBenchmark as Benchmark

_LAZY = {
    "TensorFlowBenchmark": "retrograd.testing.benchmark",
    "benchmark_config": "retrograd.testing.benchmark",
}
__getattr__ = missing(__name__, _LAZY)
