"""Runs that read a record and put it into a queue, many of them together.

The threads of a ``QueueRunner`` run one op again and again.  Where all that a run does is to take a record from a
reader, to compute, and to enqueue what came of it, nobody sees how many runs there are: records of one file are read
together, computed as rows of arrays (``run.rows``), and enqueued one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.operation import Operation
from retrograd.graph.order import ancestors
from retrograd.ops.dataset_states import MOST, as_value, fitting
from retrograd.ops.queues import put_elements_in_turn
from retrograd.ops.readers import held, read_ahead
from retrograd.ops.whole_files import strings
from retrograd.run.failures import kernel_failure
from retrograd.run.plan import Plan
from retrograd.run.program import Program
from retrograd.run.rows import Rows, rows_of

_READS = ("ReaderRead", "ReaderReadV2")
_PUTS = ("QueueEnqueue", "QueueEnqueueV2")
_SHARE = 8  # of a queue's capacity: as many elements are computed at once
_FUTILE = 3  # times that not all rows could be computed


class ManyRuns:
    """What does one run of ``put`` or, later, more at once; ``whole`` is the program of one run."""

    def __init__(self, put: Operation, read: Operation, rows: Rows, whole: Program, mode: str) -> None:
        self.put, self.read, self.rows, self.whole = put, read, rows, whole
        store = whole.store
        self.from_record = Program(Plan([], [put], read.outputs), store, mode)
        self.handles = Program(Plan([*read.inputs, put.inputs[0]], [], []), store)
        self.reading, self.putting = store.memory_of(read), store.memory_of(put)
        self.count = 1
        self.failures = 0

    def run(self, feeds: Sequence[Any], deadline: float | None = None) -> list[Any]:
        """Run at least once; nothing is fetched.

        Raises:
          OpError: a run fails; what comes behind it stays with the reader.
        """
        if self.count == 1 or deadline is not None:
            results = self.whole.run(feeds, deadline=deadline)
            self.count = 2 if self.failures < _FUTILE else 1
            return results
        reader, names, queue = self.handles.run([])
        try:
            with held(self.reading, reader):
                most = max(min(self.count, queue.capacity // _SHARE), 1)
                records, behind = read_ahead(self.reading, reader, names, most)
        except errors.OpError as error:
            raise kernel_failure(self.read, error, [reader, names]) from None
        keys, values = (strings(list(column)) for column in zip(*records, strict=True))
        columns = self._computed([keys, values])
        if columns is None:
            self._one_by_one(keys, values, reader, records)
        else:
            self._put(queue, columns)
        if behind is not None:
            raise kernel_failure(self.read, behind, [reader, names])
        return []

    def _computed(self, columns: list[np.ndarray]) -> list[Any] | None:
        if len(columns[0]) == 1:
            return None
        try:
            results = self.rows(columns, [])
        except Exception:  # which record it was is found when each is computed alone
            self.failures += 1
            self.count = 1
            return None
        size = fitting([*[column[0] for column in results], *[column[0] for column in columns]])
        if size < 2:  # large elements are computed one by one, by XLA where that is worth it
            self.failures = _FUTILE
        self.count = min(2 * self.count, MOST, size)
        return results

    def _put(self, queue: Any, columns: list[Any]) -> None:
        try:
            put_elements_in_turn(self.putting, queue, columns)
        except errors.OpError as error:
            raise kernel_failure(self.put, error, [queue, *[as_value(column[0]) for column in columns]]) from None

    def _one_by_one(self, keys: Any, values: Any, reader: Any, records: list[Any]) -> None:
        for i in range(len(records)):
            try:
                self.from_record.run([as_value(keys[i]), as_value(values[i])])
            except BaseException:
                with held(self.reading, reader):
                    reader.take_back(records[i + 1 :])
                raise


def many_runs_of(whole: Program, mode: str) -> ManyRuns | None:
    """What does many runs of a program at once; None if it does more than to read, compute and enqueue."""
    plan = whole.plan
    if plan.fetches or plan.feeds or len(plan.targets) != 1 or plan.targets[0].type not in _PUTS:
        return None
    (put,) = plan.targets
    reads = [op for op in plan.ops if op.type in _READS]
    if len(reads) != 1 or plan.guards.of(put) or put.attrs["timeout_ms"] != -1:
        return None
    (read,) = reads
    handles = ancestors([t.op for t in (*read.inputs, put.inputs[0])])
    if read.control_inputs or read in handles or not _is_read_alone(read):
        return None
    numeric = Plan(put.inputs[1:], put.control_inputs, read.outputs)
    if any(op in handles and op.type != "Const" for op in numeric.ops):
        return None
    rows = rows_of(numeric, whole.store)
    return None if rows is None else ManyRuns(put, read, rows, whole, mode)


def _is_read_alone(read: Operation) -> bool:
    """Whether nothing else asks the reader how far it has come."""
    handle = read.inputs[0]
    readers = [op for op in read.graph.get_operations() if handle in op.inputs]
    return all(op.type in _READS for op in readers)
