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
        with suppress(OSError):  # a full disk does not take what is still to be written
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


def make_folder(path: str) -> bool:
    """Make a folder unless there is something of that name, and whether it was made; its parent must be there."""
    if path:
        with suppress(FileExistsError):
            os.mkdir(path)
            return True
    return False


def sync_folder(path: str) -> None:
    """Bring to the disk which files a folder has."""
    with suppress(OSError):  # some file systems have no such thing
        folder = os.open(path or ".", os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


# Which error an error of the operating system is; any other is an UnknownError.
_NUMBERS: tuple[tuple[type[errors._CodedError], tuple[int, ...]], ...] = (
    (errors.InvalidArgumentError, (errno.EINVAL, errno.ENAMETOOLONG, errno.EFAULT, errno.ESPIPE)),
    (errors.NotFoundError, (errno.ENOENT, errno.ENODEV, errno.ENXIO)),
    (errors.AlreadyExistsError, (errno.EEXIST,)),
    (errors.PermissionDeniedError, (errno.EPERM, errno.EACCES, errno.EROFS)),
    (errors.FailedPreconditionError, (
        errno.ENOTEMPTY, errno.EISDIR, errno.ENOTDIR, errno.EBADF, errno.EBUSY, errno.EPIPE, errno.ETXTBSY,
    )),
    (errors.ResourceExhaustedError, (
        errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.EMLINK, errno.ENOMEM,
    )),
    (errors.OutOfRangeError, (errno.EFBIG, errno.EOVERFLOW, errno.ERANGE)),
    (errors.UnimplementedError, (errno.ENOSYS, errno.ENOTSUP, errno.EXDEV)),
    (errors.UnavailableError, (errno.EAGAIN, errno.EINTR, errno.ENOLCK)),
    (errors.AbortedError, (errno.EDEADLK, errno.ESTALE)),
)  # fmt: skip
_KINDS = {number: kind for kind, numbers in _NUMBERS for number in numbers}


def file_error(error: OSError, path: str) -> errors.OpError:
    """An error of the operating system in TensorFlow's words."""
    words = f"{path}; {os.strerror(error.errno or 0)}"
    kind = _KINDS.get(error.errno or 0)
    return errors.UnknownError(None, None, words) if kind is None else kind(None, None, words)
