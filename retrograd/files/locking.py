"""Files that one writer holds at a time: the lock goes when its holder does, be it killed."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress

from retrograd.files.replacing import file_error
from retrograd.graph import errors

_PATIENCE = 1.0  # seconds in which a holder that is going away may go


class Hold:
    """Holds a file of a name that tells others to keep off; let go by ``let_go``, or with the object.

    Raises:
      AlreadyExistsError: another iterator or program holds it.
      NotFoundError: there is no such folder.
    """

    def __init__(self, path: str) -> None:
        self._path, self._file = path, -1
        until = time.monotonic() + _PATIENCE
        while not self._taken():
            if time.monotonic() > until:
                said = ""
                with suppress(OSError), open(path) as file:
                    said = file.read(200)
                raise errors.AlreadyExistsError(
                    None, None,
                    "There appears to be a concurrent caching iterator running - cache lockfile already exists "
                    f"('{path}'). If you are sure no other running TF computations are using this cache prefix, delete "
                    f"the lockfile and re-initialize the iterator. Lockfile contents: {said}",
                )  # fmt: skip
            time.sleep(0.02)

    def _taken(self) -> bool:
        """Whether the file is held from now on."""
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise file_error(error, self._path) from None
        with suppress(OSError):  # somebody holds it, or took it away meanwhile
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(file).st_ino == os.stat(self._path).st_ino:
                self._file = file
                with suppress(OSError):  # a full disk holds it as well, without these words
                    os.ftruncate(file, 0)
                    os.write(file, f"Created at: {int(time.time())}".encode())
                return True
        os.close(file)
        return False

    def let_go(self) -> None:
        """Let others have it."""
        if self._file >= 0:
            with suppress(OSError):
                os.unlink(self._path)
            os.close(self._file)
            self._file = -1

    __del__ = let_go
