"""Between modules of tests a worker gives back memory: JAX keeps all that it has traced and compiled.

What there is before the first test stays to the end, and the garbage collector passes it by: a sixth of the time.

A test leaves the level of what is logged as it was.
The Pythons that tests start import this tree, whichever is installed.
Made-up data may take as long as a busy machine lets it.
Tests that ask for ``wholes`` run with loops computed as wholes from the first run on.
Tests that ask for ``eager`` run where ops run at once, with nothing there from before.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

ENOUGH = 3 << 29  # bytes that a worker may hold
_PAGES = Path("/proc/self/statm")
_ROOT = str(Path(__file__).resolve().parents[1])

os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [_ROOT, os.environ.get("PYTHONPATH")]))


def resident() -> int:
    """How many bytes of memory the process holds; 0 where the system does not say."""
    return int(_PAGES.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if _PAGES.exists() else 0


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def _give_memory_back() -> Iterator[None]:
    yield
    if resident() > ENOUGH and "jax" in sys.modules:
        sys.modules["jax"].clear_caches()
        ctypes.CDLL(None).malloc_trim(0)


@pytest.fixture(autouse=True)
def _leave_what_is_logged() -> Iterator[None]:
    """What a test lets be logged holds for itself."""
    from retrograd.graph.log import get_logger

    level = get_logger().level
    yield
    get_logger().setLevel(level)


@pytest.fixture
def eager() -> Iterator[None]:
    """Ops run at once."""
    from retrograd.eager.context import eager_mode
    from retrograd.eager.graph import eager_graph
    from retrograd.eager.lifted import graph_of_models

    eager_graph().forget()
    graph_of_models.cache_clear()
    with eager_mode():
        yield


@pytest.fixture(params=["graph", "eager"])
def mode(request: pytest.FixtureRequest) -> Iterator[str]:
    """Models of Keras are made anew, in a graph and where ops run at once."""
    import retrograd.tf as tf
    from retrograd.eager.graph import eager_graph
    from retrograd.graph import stack

    tf.keras.backend.clear_session()
    with nullcontext() if request.param == "graph" else stack.graphs.pushed(eager_graph()):
        yield request.param
    tf.keras.backend.clear_session()


@pytest.fixture
def wholes() -> Iterator[list[int]]:
    """Every loop that can be is computed as a whole, at its first run; for each the size that varies, or 0."""
    from retrograd.run import computed_loops, program, whole_loops

    made, run = whole_loops.whole_loop, whole_loops.ComputedLoop.run
    calls: list[int] = []

    def counted(loop: whole_loops.ComputedLoop, arguments: Any, size: int) -> Any:
        results = run(loop, arguments, size)
        calls.append(size)
        return results

    with (
        mock.patch.multiple(whole_loops, _PATIENCE=0, _PATIENCE_OF_OP=0, _SOONEST=1, _FEW_KINDS=1 << 10),
        mock.patch.object(whole_loops.ComputedLoop, "run", counted),
        mock.patch.object(computed_loops, "compiler_options", return_value={"xla_backend_optimization_level": 0}),
        mock.patch.object(program.Program, "_advance"),
        mock.patch.object(program, "whole_loop", lambda *a: made(*a[:3], lambda: True, *a[4:])),
    ):
        yield calls
