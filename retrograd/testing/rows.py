"""Tests of ``pfor`` against ``for_loop``."""

from __future__ import annotations

from typing import Any

from retrograd.derivatives.rowwise import for_loop, pfor
from retrograd.graph import dtypes, nest
from retrograd.state.initialization import global_variables_initializer
from retrograd.testing.case import TensorFlowTestCase


class PForTestCase(TensorFlowTestCase):
    """A test case that compares what is computed for all rows at once with the same row by row."""

    def _run_targets(self, targets1: Any, targets2: Any = None, run_init: bool = True) -> list[Any]:
        first, second = nest.flatten(targets1), [] if targets2 is None else nest.flatten(targets2)
        assert not second or len(first) == len(second)
        if run_init:
            self.evaluate(global_variables_initializer())
        return self.evaluate(first + second)

    def run_and_assert_equal(self, targets1: Any, targets2: Any) -> None:
        """Assert that two nestings of tensors have the same values, floats to 1e-4."""
        values = nest.flatten(self._run_targets(targets1, targets2))
        half = len(values) // 2
        for a, b in zip(values[:half], values[half:], strict=True):
            if a.dtype == object:
                self.assertAllEqual(b, a)
            else:
                self.assertAllClose(b, a, rtol=1e-4, atol=1e-5)

    def _test_loop_fn(
        self, loop_fn: Any, iters: Any, loop_fn_dtypes: Any = dtypes.float32, parallel_iterations: int | None = None
    ) -> None:
        more = {"parallel_iterations": parallel_iterations}
        self.run_and_assert_equal(
            pfor(loop_fn, iters=iters, **more), for_loop(loop_fn, loop_fn_dtypes, iters=iters, **more)
        )
