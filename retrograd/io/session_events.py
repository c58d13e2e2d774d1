"""Events that ops of a session write: the file is a resource of the session, shared with its other writers."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.scopes import name_scope
from retrograd.io.summary_writers import create_file_writer
from retrograd.ops.constants import placeholder
from retrograd.ops.summary_writers import IMPORT_EVENT


class SessionEventFile:
    """The event file of a folder in ``session``: whoever writes to that folder in the session writes to it.

    What is written waits until there are ``max_queue`` events more, or ``flush_secs`` seconds have passed.
    """

    def __init__(self, session: Any, logdir: str, max_queue: int, flush_secs: float, suffix: str) -> None:
        self._session = session
        with session.graph.as_default(), name_scope("filewriter"):
            writer: Any = create_file_writer(logdir, max_queue, flush_secs * 1000, suffix)
            self._event = placeholder(dtypes.string, shape=[])
            self._write = apply(IMPORT_EVENT, writer._resource, self._event)
            self._init, self._flush, self._close = writer.init(), writer.flush(), writer.close()
        self.open()

    def open(self) -> None:
        """Begin the file; one that was begun goes on."""
        self._session.run(self._init)

    def add_event(self, event: Any) -> None:
        """Write an ``Event`` proto."""
        self._session.run(self._write, {self._event: event.SerializeToString()})

    def flush(self) -> None:
        """Bring to the disk what waits."""
        self._session.run(self._flush)

    def close(self) -> None:
        """The same, and close the file."""
        self._session.run(self._close)
