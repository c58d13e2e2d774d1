"""Files that are replaced whole or not at all, and errors of files in TensorFlow's words."""

from __future__ import annotations

import errno
import os
import secrets
from contextlib import suppress
from typing import IO

from retrograd.graph import errors


class Replacement:
    """A file that is written under another name and takes its own once it is complete and on the disk."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.temporary = f"{path}.tempstate{secrets.randbits(63)}"
        self.file: IO[bytes] = open(self.temporary, "wb")  # noqa: SIM115 (closed by ``complete`` or ``discard``)

    def complete(self) -> None:
        """Bring the bytes to the disk."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()

    def take_place(self) -> None:
        """Take the name."""
        os.replace(self.temporary, self.path)

    def discard(self) -> None:
        """Leave no trace."""
        self.file.close()
        with suppress(FileNotFoundError):
            os.unlink(self.temporary)


def replace_file(path: str, content: bytes) -> None:
    """Let the file hold ``content``; whatever happens meanwhile, it is what it was or all of the new."""
    new = Replacement(path)
    try:
        new.file.write(content)
        new.complete()
        new.take_place()
    except BaseException:
        new.discard()
        raise


def make_folder(path: str) -> None:
    """Make a folder unless there is something of that name; the one that it is in must be there."""
    if path:
        with suppress(FileExistsError):
            os.mkdir(path)


def sync_folder(path: str) -> None:
    """Bring to the disk which files a folder has."""
    with suppress(OSError):  # some file systems have no such thing
        folder = os.open(path or ".", os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def file_error(error: OSError, path: str) -> errors.OpError:
    """An error of the operating system in TensorFlow's words."""
    kinds: dict[int | None, type[errors._CodedError]] = {
        errno.ENOENT: errors.NotFoundError,
        errno.EACCES: errors.PermissionDeniedError,
        errno.EPERM: errors.PermissionDeniedError,
        errno.ENOSPC: errors.ResourceExhaustedError,
        errno.EDQUOT: errors.ResourceExhaustedError,
        errno.ENOTDIR: errors.FailedPreconditionError,
        errno.EISDIR: errors.FailedPreconditionError,
        errno.ENAMETOOLONG: errors.InvalidArgumentError,
    }
    if error.errno not in kinds:
        return errors.UnknownError(None, None, f"{path}; {error.strerror}")
    return kinds[error.errno](None, None, f"{path}; {error.strerror}")
