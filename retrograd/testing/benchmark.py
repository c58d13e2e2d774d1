"""``tf.test.Benchmark``: classes of benchmarks, which are measured on request only."""

from __future__ import annotations

from typing import Any


class Benchmark:
    """The base of a class of benchmarks."""

    def report_benchmark(self, **results: Any) -> None:
        """Print what was measured."""
        print("entry", results)


class TensorFlowBenchmark(Benchmark):
    """A benchmark that runs ops in a session."""

    def run_op_benchmark(
        self,
        sess: Any,
        op_or_tensor: Any,
        feed_dict: Any = None,
        burn_iters: int = 2,
        min_iters: int = 10,
        **options: Any,
    ) -> dict[str, Any]:
        """The median seconds of a run of ``op_or_tensor``."""
        import statistics
        import time

        for _ in range(burn_iters):
            sess.run(op_or_tensor, feed_dict=feed_dict)
        times = []
        for _ in range(min_iters):
            start = time.perf_counter()
            sess.run(op_or_tensor, feed_dict=feed_dict)
            times.append(time.perf_counter() - start)
        return {"iters": min_iters, "wall_time": statistics.median(times)}


def benchmark_config() -> Any:
    """The config of a benchmark's session."""
    from tensorboard.compat.proto.config_pb2 import ConfigProto

    return ConfigProto()
