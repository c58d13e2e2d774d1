"""``pywrap_tensorflow.EventsWriter``: event files under a name of the program's own."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from typing import Any

from retrograd.files.records import Writer
from retrograd.graph.errors import OpError
from retrograd.graph.text import as_text


class EventsWriter:
    """Writes events to ``<file_prefix>.out.tfevents.<seconds>.<host>``, which begins with the version of the format."""

    def __init__(self, file_prefix: Any) -> None:
        self._prefix = as_text(file_prefix)
        self._suffix = ""
        self._path = ""
        self._writer: Any = None

    def InitWithSuffix(self, suffix: Any) -> bool:
        """Open the file, whose name ends with ``suffix``."""
        self._suffix = as_text(suffix)
        return self.Init()

    def Init(self) -> bool:
        """Open the file."""
        from tensorboard.compat.proto import event_pb2

        if self._writer is None:
            seconds = int(time.time())
            self._path = f"{self._prefix}.out.tfevents.{seconds:010d}.{socket.gethostname()}{self._suffix}"
            self._writer = Writer(self._path)
            try:
                self.WriteEvent(event_pb2.Event(wall_time=time.time(), file_version="brain.Event:2"))
                self.Flush()
            except OpError:  # on a full disk each try would leave an empty file
                with suppress(OpError):
                    self.Close()
                with suppress(OSError):
                    os.unlink(self._path)
                raise
        return True

    def FileName(self) -> str:
        """The file's name."""
        self.Init()
        return self._path

    def WriteEvent(self, event: Any) -> None:
        """Write one event.

        Raises:
          TypeError: it is none.
        """
        from tensorboard.compat.proto import event_pb2

        if not isinstance(event, event_pb2.Event):
            raise TypeError(f"Expected an event_pb2.Event proto, but got {event}")
        self.Init()
        self._writer.write(event.SerializeToString())

    def Flush(self) -> bool:
        """Bring what was written to the file."""
        if self._writer is not None:
            self._writer.flush()
        return True

    def Close(self) -> bool:
        """Close the file."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()
        return True

    def __del__(self) -> None:
        try:  # noqa: SIM105  as Python ends, names of modules are already gone
            self.Close()
        except OpError:
            pass
