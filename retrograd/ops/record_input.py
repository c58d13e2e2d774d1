"""``RecordInput``: batches of records that come from many files, shuffled, for ever."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.files import file_system, records
from retrograd.graph import errors
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.scopes import name_scope
from retrograd.graph.text import as_text
from retrograd.ops.arrays import reshape
from retrograd.ops.joining import split
from retrograd.ops.whole_files import strings

_COMPRESSIONS = {None: "", 0: "", 1: "ZLIB", 2: "GZIP"}


def _shuffled(pattern: str, compression: str, seed: int, shift: float, buffer_size: int) -> Iterator[bytes]:
    """The records of all files again and again, an epoch after the other, each in an order of its own.

    The files are shuffled and turned by ``shift`` of their number in each epoch; their records go through a
    buffer of which one by chance is given.
    """
    epoch = 0
    while True:
        files = sorted(file_system.matching(pattern))
        if not files:
            raise errors.NotFoundError(None, None, f"Found no files at {pattern}")
        random = np.random.RandomState((seed + epoch) % 2**32)
        random.shuffle(files)
        turn = int(shift * epoch * len(files)) % len(files)
        buffer: list[bytes] = []
        count = 0
        for file in files[turn:] + files[:turn]:
            for record in records.Reader(file, compression):
                count += 1
                buffer.append(record)
                if len(buffer) >= max(buffer_size, 1):
                    yield buffer.pop(random.randint(len(buffer)))
        if not count:
            raise errors.NotFoundError(None, None, f"Found no records in the files at {pattern}")
        random.shuffle(buffer)
        yield from buffer
        epoch += 1


def _next_records(
    xp: Any, memory: Any, *, file_pattern: Any, file_random_seed: int, file_shuffle_shift_ratio: float,
    file_buffer_size: int, batch_size: int, compression_type: Any,
) -> Any:  # fmt: skip
    with memory.shared.lock:
        lock = memory.setdefault("lock", threading.Lock())
    with lock:
        if "records" not in memory:
            memory["records"] = _shuffled(
                as_text(file_pattern), as_text(compression_type), file_random_seed, file_shuffle_shift_ratio,
                file_buffer_size,
            )  # fmt: skip
        try:
            return strings([next(memory["records"]) for _ in range(batch_size)])
        except Exception:
            del memory["records"]  # it cannot go on
            raise


RECORD_INPUT = define(
    "RecordInput", "", "records: string",
    attrs={
        "file_pattern": REQUIRED, "file_random_seed": 301, "file_shuffle_shift_ratio": 0.0, "file_buffer_size": 10000,
        "file_parallelism": 16, "batch_size": 32, "compression_type": "",
    },
    shape=lambda: None, kernel=_next_records, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip


class RecordInput:
    """Gives ``batch_size`` records of files in each run, or ``batches`` lists of so many.

    Args:
      file_pattern: which files of records.
      buffer_size: among how many records one is chosen.
      parallelism: nothing; one file is read at a time.
      shift_ratio: by which part of the files the order is turned from one epoch to the next.
      compression_type: as of ``TFRecordOptions``.
    """

    def __init__(
        self, file_pattern: str, batch_size: int = 1, buffer_size: int = 1, parallelism: int = 1,
        shift_ratio: float = 0, seed: int = 0, name: str | None = None, batches: int | None = None,
        compression_type: Any = None,
    ) -> None:  # fmt: skip
        self._name, self._batches, self._batch_size = name, batches, batch_size
        self._attrs = {
            "file_pattern": file_pattern, "file_buffer_size": buffer_size, "file_parallelism": parallelism,
            "file_shuffle_shift_ratio": float(shift_ratio), "file_random_seed": seed,
            "batch_size": batch_size * (batches or 1),
            "compression_type": _COMPRESSIONS.get(compression_type, compression_type),
        }  # fmt: skip

    def get_yield_op(self) -> Any:
        """The vector of records, or for each of ``batches`` the list of its records."""
        found = apply(RECORD_INPUT, name=self._name, **self._attrs)
        if self._batches is None:
            return found
        with name_scope(self._name):
            parts = split(found, self._batch_size * self._batches, 0)
            batches: list[list[Any]] = [[] for _ in range(self._batches)]
            for i, part in enumerate(parts):
                batches[i % self._batches].append(reshape(part, []))
        return batches
