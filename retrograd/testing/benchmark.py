"""``tf.test.Benchmark``: classes of benchmarks, which are measured on request only."""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Mapping
from typing import Any

from retrograd.graph.stack import default_session


class ReportingBenchmark:
    """The base of a class of benchmarks."""

    @classmethod
    def is_abstract(cls) -> bool:
        """Whether this is one of the bases, which measure nothing."""
        return cls.__module__ == __name__

    def report_benchmark(
        self,
        iters: int | None = None,
        cpu_time: float | None = None,
        wall_time: float | None = None,
        throughput: float | None = None,
        extras: Mapping[str, Any] | None = None,
        name: str | None = None,
        metrics: Any = None,
    ) -> None:
        """Print what was measured, as an entry in the text form of protos, under the class and the calling method."""
        measured = {"iters": iters, "cpu_time": cpu_time, "wall_time": wall_time, "throughput": throughput}
        lines = [f"name: {json.dumps(f'{type(self).__name__}.{name or _calling_method(self)}')}"]
        lines += [f"{key}: {value!r}" for key, value in measured.items() if value is not None]
        for key, value in sorted((extras or {}).items()):
            is_text = isinstance(value, str)
            shown = f"string_value: {json.dumps(value)}" if is_text else f"double_value: {float(value)!r}"
            lines += ["extras {", f"  key: {json.dumps(key)}", "  value {", f"    {shown}", "  }", "}"]
        for metric in metrics or ():
            lines += ["metrics {", *(f"  {key}: {json.dumps(metric[key])}" for key in metric), "}"]
        print("\n".join(["entry {", *(f"  {line}" for line in lines), "}", ""]))


def _calling_method(benchmark: ReportingBenchmark) -> str:
    """The outermost method of ``benchmark`` that is running."""
    frame, name = sys._getframe(2), ""
    while frame is not None:
        if frame.f_locals.get("self") is benchmark:
            name = frame.f_code.co_name
        frame = frame.f_back  # type: ignore[assignment]
    return name


class Benchmark(ReportingBenchmark):
    """A benchmark that runs ops in a session."""

    def run_op_benchmark(
        self,
        sess: Any,
        op_or_tensor: Any,
        feed_dict: Any = None,
        burn_iters: int = 2,
        min_iters: int = 10,
        store_trace: bool = False,
        store_memory_usage: bool = True,
        name: str | None = None,
        extras: Mapping[str, Any] | None = None,
        mbs: float = 0,
    ) -> dict[str, Any]:
        """Report and return the median seconds of a run of ``op_or_tensor``, which moves ``mbs`` megabytes."""
        for _ in range(burn_iters):
            sess.run(op_or_tensor, feed_dict=feed_dict)
        times = []
        for _ in range(min_iters):
            start = time.perf_counter()
            sess.run(op_or_tensor, feed_dict=feed_dict)
            times.append(time.perf_counter() - start)
        median = statistics.median(times)
        throughput, noted = (mbs / median if median else 0.0), dict(extras or {})
        self.report_benchmark(
            iters=min_iters, wall_time=median, throughput=throughput if mbs else None, extras=noted, name=name
        )
        return {"iters": min_iters, "wall_time": median, "throughput": throughput, "extras": noted, "name": name}

    def evaluate(self, tensors: Any) -> Any:
        """The values of ``tensors`` in the default session."""
        session = default_session()
        if session is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute 'cached_session'")
        return session.run(tensors)


TensorFlowBenchmark = Benchmark


def benchmark_config() -> Any:
    """The config of a benchmark's session."""
    from tensorboard.compat.proto.config_pb2 import ConfigProto

    return ConfigProto()
