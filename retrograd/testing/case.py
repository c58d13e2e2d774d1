"""``tf.test.TestCase``: a test case that starts each test with a new graph and a fixed seed."""

from __future__ import annotations

import contextlib
import os
import random
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from retrograd.eager.tensor import EagerTensor
from retrograd.graph import nest, stack
from retrograd.graph.operation import Operation
from retrograd.graph.sparse import IndexedSlices, IndexedSlicesValue, SparseTensor, SparseTensorValue
from retrograd.io.summary_writers import forget_writer
from retrograd.ops.philox import DEFAULT_GRAPH_SEED
from retrograd.ragged.tensor import RaggedTensor
from retrograd.run.session import Session
from retrograd.testing.assertions import Assertions


class CheckedThread:
    """A thread whose exceptions fail the test when it is joined."""

    def __init__(
        self, testcase: TensorFlowTestCase, target: Callable[..., Any], args: Any = None, kwargs: Any = None
    ) -> None:
        self._testcase = testcase
        self._call = lambda: target(*(args or ()), **(kwargs or {}))
        self._exception: Exception | None = None
        self._thread = threading.Thread(target=self._run)
        self._joined = False

    def _run(self) -> None:
        try:
            self._call()
        except Exception as error:
            self._exception = error

    def start(self) -> None:
        self._thread.start()

    def join(self) -> None:
        """Wait for the end; an exception in the thread fails the test."""
        self._joined = True
        self._thread.join()
        if self._exception is not None:
            self._testcase.fail(f"Error in checkedThread: {self._exception}")

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def check_termination(self) -> None:
        """Fail the test if the thread was never joined."""
        if not self._joined:
            self._testcase.fail("A checked thread was not joined.")


class CapturedWrites:
    """What ``captureWritesToStream`` has caught."""

    def __init__(self, path: str) -> None:
        self._path = path

    def contents(self) -> str:
        with open(self._path, newline="") as file:
            return file.read()


def _value_now(x: Any) -> Any:
    """The value of what an eager test asks for."""
    if isinstance(x, SparseTensor):
        return SparseTensorValue(*(_value_now(part) for part in (x.indices, x.values, x.dense_shape)))
    if isinstance(x, IndexedSlices):
        return IndexedSlicesValue(
            _value_now(x.values), _value_now(x.indices), None if x.dense_shape is None else _value_now(x.dense_shape)
        )
    if isinstance(x, RaggedTensor):
        return x.value_now()
    if callable(x) and not hasattr(x, "numpy"):
        return _value_now(x())
    if x is None or isinstance(x, Operation):
        return None
    return x.numpy() if hasattr(x, "numpy") else x


class _EagerSession:
    """What stands for a session where ops have run already."""

    def __init__(self, test: Any) -> None:
        self._test = test

    def run(self, fetches: Any, feed_dict: Any = None) -> Any:
        """The values of tensors.

        Raises:
          RuntimeError: something is fed.
        """
        if feed_dict:
            raise RuntimeError(
                "feed_dict is not supported when eager execution is enabled (in this case, sess.run(t) is shorthand "
                "for t.numpy()"
            )
        return self._test.evaluate(fetches)


class TensorFlowTestCase(Assertions):
    """A test case for code that builds graphs and runs sessions.

    Before each test the default graph is new, with the seed 87654321, and so are the random streams of
    Python and NumPy.
    """

    def __init__(self, methodName: str = "runTest") -> None:
        super().__init__(methodName)
        self._threads: list[CheckedThread] = []
        self._tempdir: str | None = None
        self._cached: Session | None = None
        self._cached_for: tuple[Any, Any, bool] | None = None

    def setUp(self) -> None:
        self._ClearCachedSession()
        random.seed(DEFAULT_GRAPH_SEED)
        np.random.seed(DEFAULT_GRAPH_SEED)
        stack.graphs.reset()
        stack.reset_default_graph()
        stack.default_graph().seed = DEFAULT_GRAPH_SEED
        forget_writer()
        self._skip_session_method()

    def _skip_session_method(self) -> None:
        """Loaders of tests take ``test_session`` for one; what subclasses set up behind is not done for it."""
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")

    def tearDown(self) -> None:
        for thread in self._threads:
            thread.check_termination()
        self._ClearCachedSession()

    def _ClearCachedSession(self) -> None:
        if self._cached is not None:
            self._cached.close()
            self._cached = None

    def get_temp_dir(self) -> str:
        """A folder of this test's own, the same at every call."""
        if self._tempdir is None:
            self._tempdir = tempfile.mkdtemp(prefix=f"{type(self).__name__}_")
        return self._tempdir

    # -- sessions ------------------------------------------------------------------------------

    @contextlib.contextmanager
    def session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Iterator[Session]:
        """A new session, the default one in the block, and closed after it; None where ops run at once."""
        if stack.default_graph().is_eager:
            yield None  # type: ignore[misc]
            return
        with Session(graph=graph, config=config) as session, _placed(session, use_gpu, force_gpu):
            yield session

    def cached_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> AbstractContextManager[Session]:
        """The one session of this test, the default one in the block, and kept until the test ends.

        Raises:
          ValueError: an earlier call asked for another graph or config.
        """
        if stack.default_graph().is_eager:
            return contextlib.nullcontext(_EagerSession(self))  # type: ignore[arg-type]
        return self._in_cached(self._cached_session(graph, config, force_gpu), use_gpu, force_gpu)

    def _cached_session(self, graph: Any, config: Any, force_gpu: bool) -> Session:
        wanted = graph, config, force_gpu
        if self._cached is None:
            self._cached = Session(graph=graph, config=config)
            self._cached_for = wanted
        elif self._cached_for is not None:
            for what, before, now in zip(("graph", "config", "force_gpu value"), self._cached_for, wanted, strict=True):
                if before is not now and before != now:
                    raise ValueError(
                        f"The {what} used to get the cached session is different than the one that was used to create "
                        "the session. Maybe create a new session with self.session()"
                    )
        return self._cached

    def test_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> AbstractContextManager[Session]:
        """``cached_session`` of the default graph; ``session`` of another one."""
        self._skip_session_method()
        if stack.default_graph().is_eager:
            return contextlib.nullcontext()  # type: ignore[return-value]
        if graph is not None:
            return self.session(graph, config, use_gpu, force_gpu)
        if self._cached is None:
            self._cached, self._cached_for = Session(config=config), (None, config, force_gpu)
        return self._in_cached(self._cached, use_gpu, force_gpu)

    test_session.__test__ = False  # type: ignore[attr-defined]  # for pytest: not a test

    @contextlib.contextmanager
    def _in_cached(self, session: Session, use_gpu: bool, force_gpu: bool) -> Iterator[Session]:
        with session.graph.as_default(), session.as_default(), _placed(session, use_gpu, force_gpu):
            yield session

    def evaluate(self, tensors: Any) -> Any:
        """The value of tensors in any structure, from the default session or else ``test_session``."""
        if stack.default_graph().is_eager or isinstance(tensors, EagerTensor):
            return nest.map_structure(_value_now, tensors)
        session = stack.default_session()
        if session is not None:
            return session.run(tensors)
        with self.test_session() as session:
            return session.run(tensors)

    # -- threads and streams -------------------------------------------------------------------

    def checkedThread(self, target: Callable[..., Any], args: Any = None, kwargs: Any = None) -> CheckedThread:
        """A thread that calls ``target``; its exceptions fail the test at ``join``."""
        thread = CheckedThread(self, target, args, kwargs)
        self._threads.append(thread)
        return thread

    @contextlib.contextmanager
    def captureWritesToStream(self, stream: Any) -> Iterator[CapturedWrites]:
        """Catch what is written to the file descriptor of ``stream`` in the block."""
        stream.flush()
        descriptor = stream.fileno()
        kept = os.dup(descriptor)
        path = os.path.join(self.get_temp_dir(), "captured")
        target = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        os.dup2(target, descriptor)
        try:
            yield CapturedWrites(path)
        finally:
            stream.flush()
            os.dup2(kept, descriptor)
            os.close(kept)
            os.close(target)


@contextlib.contextmanager
def _placed(session: Session, use_gpu: bool, force_gpu: bool) -> Iterator[None]:
    """Ops built in the block stand on the CPU, on the GPU with ``force_gpu``, or anywhere with ``use_gpu``."""
    if use_gpu and not force_gpu:
        yield
        return
    with session.graph.device("/device:GPU:0" if force_gpu else "/device:CPU:0"):
        yield
