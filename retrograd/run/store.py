"""What a session keeps between runs: the values of variables and the positions of random streams."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

import numpy as np

from retrograd.graph import errors
from retrograd.graph.functions import Body
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape
from retrograd.ops import waiting
from retrograd.ops.kept import Kept
from retrograd.ops.streams import Stream
from retrograd.run import advice


class Cell(Kept):
    """The place of one variable.

    A value that was read stays what it was: its array is changed in place only while nobody else holds it.
    """

    __slots__ = ("name", "shape", "store")

    def __init__(self, store: Store, name: str, shape: RawShape) -> None:
        super().__init__()
        self.store = store
        self.name = name
        self.shape = shape

    @property
    def is_initialized(self) -> bool:
        return self._value is not None or self.home is not None

    @property
    def shape_now(self) -> RawShape:
        """The shape of the value; before there is one, the declared shape."""
        if self.home is not None:
            return self.home.dims_of(self)
        return self.shape if self._value is None else np.shape(self._value)

    def read(self) -> Any:
        """The value.

        Raises:
          FailedPreconditionError: the variable has none yet.
        """
        value = self.value
        if value is None:
            raise errors.FailedPreconditionError(None, None, f"Attempting to use uninitialized value {self.name}")
        return value

    def write(self, value: Any) -> None:
        """Let the value be ``value`` (None takes it away); the running step can still take it back."""
        if type(value) is np.ndarray:
            if not value.flags.owndata:  # perhaps a view of an array that the user will change
                value = value.copy()
            value.flags.writeable = False
        self.store.journal.append((self, self.value))
        self.value = value

    def change_rows(self, rows: Any, change: Callable[[np.ndarray, Any], Any]) -> None:
        """Let ``change(array, rows)`` alter these rows of the value in place; the step can take that back."""
        held = self._value if self.is_here else None
        is_own = type(held) is np.ndarray and held.flags.owndata
        del held  # or there would be one holder more
        if is_own and _holders(self) == _NOBODY_ELSE:
            self.store.journal.append((Rows(self, rows), self.value[rows].copy()))
            self.value.flags.writeable = True
            try:
                change(self.value, rows)
            finally:
                self.value.flags.writeable = False
        else:
            value = np.array(self.read())
            change(value, rows)
            self.write(value)


class Rows:
    """Rows of a cell as a place that can be given back what was there."""

    def __init__(self, cell: Cell, rows: Any) -> None:
        self.cell = cell
        self.rows = rows

    @property
    def value(self) -> Any:
        """The rows."""
        return self.cell.value[self.rows]

    @value.setter
    def value(self, old: Any) -> None:
        self.cell.value.flags.writeable = True
        self.cell.value[self.rows] = old
        self.cell.value.flags.writeable = False


def _holders(cell: Cell) -> int:
    """How many references there are to a cell's array, those of this function among them."""
    return sys.getrefcount(cell.value)


def _nobody_else() -> int:
    cell = Cell(Store(), "", None)
    cell.value = np.zeros(1)
    return _holders(cell)


class Shared:
    """What the host ops of a session share: resources by container and name, and how they wait for each other."""

    def __init__(self) -> None:
        self.resources: dict[tuple[str, str], Any] = {}
        self.lock = threading.RLock()
        self.is_closed = False
        self._conditions: WeakSet[threading.Condition] = WeakSet()

    def condition(self) -> threading.Condition:
        """A condition that is notified when the session closes, too."""
        condition = threading.Condition()
        with self.lock:
            self._conditions.add(condition)
        return condition

    def close(self) -> None:
        """Forget the resources and end every wait."""
        self.is_closed = True
        with self.lock:
            self.resources.clear()
        self.wake()

    def wake(self) -> None:
        """Let everything that waits look again whether it still has to."""
        with self.lock:
            conditions = list(self._conditions)
        for condition in conditions:
            with condition:
                condition.notify_all()


_CLOSED = "Step was cancelled by an explicit call to `Session::Close()`."
LONG = 10.0  # seconds that a run waits before somebody is told
_run = threading.local()  # what the run of a thread has to keep to


@contextmanager
def until(deadline: float | None) -> Iterator[None]:
    """Let waits of host ops in the block end at ``deadline``, in monotonic seconds."""
    before = getattr(_run, "deadline", None)
    _run.deadline = deadline
    try:
        yield
    finally:
        _run.deadline = before


@contextmanager
def of_session(is_closed: Callable[[], bool]) -> Iterator[None]:
    """Let waits of host ops in the block end when one of the sessions that share a store is closed."""
    before = getattr(_run, "is_closed", None)
    _run.is_closed = is_closed
    try:
        yield
    finally:
        _run.is_closed = before


class Memory(dict[str, Any]):
    """What a host op keeps between runs, and its way to what the session's ops share."""

    def __init__(self, op: Operation, store: Store) -> None:
        super().__init__()
        self.op = op
        self.store = store
        self.shared = store.shared

    def resource(self, container: str, name: str, make: Callable[[], Any]) -> Any:
        """The session's resource of this name, made at first use."""
        with self.shared.lock:
            key = (container, name)
            if key not in self.shared.resources:
                self.shared.resources[key] = make()
            return self.shared.resources[key]

    def call(self, function: Any) -> Callable[..., Any]:
        """What runs a function that an attribute of the op names, with random streams of its own."""
        from retrograd.run.functions import Call

        return Call(self.body(function), Store(self.store.whole or self.store, self._library))

    def value_of(self, tensor: Any) -> Any:
        """What a tensor of the op's graph is now, which depends on no feed."""
        from retrograd.run.functions import Call

        return Call(Body(tensor.graph, [], [tensor], []), self.store)([])[0]

    def rows(self, call: Any) -> Any:
        """What computes the function of a ``call`` for the rows of arrays, on its random streams.

        None of a function that does more than compute, check and draw.
        """
        from retrograd.run.rows import rows_of

        return rows_of(call.program.plan, call.program.store)

    @property
    def _library(self) -> Graph:
        return self.store.library or self.op.graph

    def body(self, function: Any) -> Any:
        """What a function computes that an attribute of the op names."""
        found = self._library._get_function(function.name) or self.op.graph._get_function(function.name)
        if found is None:
            raise errors.NotFoundError(None, None, f"Function {function.name} is not defined.")
        return found.body

    def check_open(self, cancelled: str = _CLOSED) -> None:
        """Go on only if nobody has closed the session.

        Raises:
          CancelledError: somebody has.
        """
        if self.shared.is_closed:
            raise errors.CancelledError(None, None, cancelled)
        is_closed = getattr(_run, "is_closed", None)
        if is_closed is not None and is_closed():
            raise errors.CancelledError(None, None, _CLOSED)

    def wait(self, condition: threading.Condition, ready: Callable[[], bool], cancelled: str) -> None:
        """Let others run until ``ready()`` holds, which is asked while ``condition`` is held.

        Raises:
          CancelledError: the session was closed.
          DeadlineExceededError: the run has a deadline, and it is over.
        """
        limit = getattr(_run, "deadline", None)
        deadline = math.inf if limit is None else limit
        told = time.monotonic() + LONG
        with self.store.given_way(), condition:
            while not ready():
                self.check_open(cancelled)
                now = time.monotonic()
                if deadline <= now:
                    raise errors.DeadlineExceededError(None, None, "Timed out waiting for notification")
                if told <= now:
                    told = math.inf
                    advice.about_waiting(self.op)
                until = min(deadline, told)
                waiting.wait(condition, None if until == math.inf else until - now)


class Store:
    """The variables, random streams and host ops' notes of one session, or of one call in it."""

    def __init__(self, whole: Store | None = None, library: Graph | None = None) -> None:
        self.whole = whole
        self.shared: Shared = whole.shared if whole is not None else Shared()
        self.library = library  # the graph whose functions its ops may call, if that is not their own
        self.parts: dict[Operation, Store] = {}
        self.lock = threading.RLock()
        self.cells: dict[tuple[str, str], Cell] = {}
        self.streams: dict[Operation, Stream] = {}
        self.memories: dict[Operation, Memory] = {}
        self.is_in_transaction = False
        self.journal: list[tuple[Any, Any]] = []  # what the transaction has changed, and what was there

    def cell_of(self, op: Operation) -> Cell:
        """The cell of a variable op: one per container and shared name."""
        if self.whole is not None:
            return self.whole.cell_of(op)
        shared = op.attrs["shared_name"] or op.name
        key = (op.attrs["container"], self._place_of(op) + shared)
        cell = self.cells.get(key)
        if cell is None:
            shape = op.attrs["shape"]._raw
            name = shared if op.type == "VarHandleOp" else op.name  # what TensorFlow's messages call it
            cell = self.cells.setdefault(key, Cell(self, name, shape))
        return cell

    def _place_of(self, op: Operation) -> str:
        """What sets apart variables of one name: nothing, where all are in one place."""
        return ""

    @property
    def is_empty(self) -> bool:
        """Whether no variable has a value."""
        return not any(cell.is_initialized for cell in self.cells.values())

    def stream_of(self, op: Operation) -> Stream:
        """The random stream of an op, made on first use."""
        stream = self.streams.get(op)
        if stream is None:
            stream = self.streams.setdefault(op, Stream.of(op.attrs["seed"], op.attrs["seed2"]))
        return stream

    def memory_of(self, op: Operation) -> Memory:
        """What a host op keeps between runs."""
        memory = self.memories.get(op)
        if memory is None:
            memory = self.memories.setdefault(op, Memory(op, self))
        return memory

    @contextmanager
    def given_way(self) -> Iterator[None]:
        """Let runs of other threads write in the block, while the run of this thread waits for them."""
        whole = self.whole or self
        lock: Any = whole.lock
        if not lock._is_owned():
            yield
            return
        journal, whole.journal = whole.journal, []
        inside, whole.is_in_transaction = whole.is_in_transaction, False
        held = lock._release_save()
        try:
            yield
        finally:
            lock._acquire_restore(held)
            whole.journal, whole.is_in_transaction = journal, inside

    def part_of(self, op: Operation) -> Store:
        """What a function keeps that ``op`` calls: streams and notes of its own, variables of the whole."""
        part = self.parts.get(op)
        if part is None:
            part = self.parts.setdefault(op, Store(self, self.library or op.graph))
        return part

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Let nobody else write in the block; if it fails, nothing is written.  One in another is a part of it."""
        with self.lock:
            if self.is_in_transaction:
                yield
                return
            self.is_in_transaction = True
            try:
                yield
            except BaseException:
                for place, value in reversed(self.journal):
                    place.value = value
                raise
            finally:
                self.journal.clear()
                self.is_in_transaction = False

    def forget(self, containers: Collection[str]) -> None:
        """Forget the variables and resources of these containers; of all where none is named."""
        with self.lock, self.shared.lock:
            for table in (self.cells, self.shared.resources):
                for key in [key for key in table if not containers or key[0] in containers]:
                    del table[key]

    def clear(self) -> None:
        """Forget every value, and end what waits."""
        self.shared.close()
        self.cells.clear()
        self.streams.clear()
        self.memories.clear()
        self.parts.clear()


_NOBODY_ELSE = _nobody_else()  # differs between versions of Python
