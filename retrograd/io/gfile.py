"""``tf.gfile``: files by their names.  Only the local file system is there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, BinaryIO

from retrograd.files import file_system
from retrograd.files.file_system import FileStatistics, path_of, translated
from retrograd.graph import errors

_MODES = ("r", "w", "a", "r+", "w+", "a+")


class GFile:
    """A file that is opened when it is first read or written; text, or with ``b`` in the mode bytes.

    Raises:
      InvalidArgumentError: there is no such mode.
    """

    def __init__(self, name: Any, mode: str = "r") -> None:
        self._name = name
        self._mode = mode
        self._binary = "b" in mode
        plain = mode.replace("b", "")
        if plain not in _MODES:
            raise errors.InvalidArgumentError(None, None, "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'")
        self._reads = plain in ("r", "r+", "a+", "w+")
        self._writes = plain in ("a", "w", "r+", "a+", "w+")
        self._appends = plain in ("a", "a+")
        self._reader: BinaryIO | None = None
        self._writer: BinaryIO | None = None

    @property
    def name(self) -> Any:
        """The name that it was opened by."""
        return self._name

    @property
    def mode(self) -> str:
        """The mode that it was opened in."""
        return self._mode

    def _open_to_read(self) -> BinaryIO:
        if self._reader is None:
            if not self._reads:
                raise errors.PermissionDeniedError(None, None, "File isn't open for reading")
            with translated(self._name):
                self._reader = open(path_of(self._name), "rb")  # noqa: SIM115
        return self._reader

    def _open_to_write(self) -> BinaryIO:
        if self._writer is None:
            if not self._writes:
                raise errors.PermissionDeniedError(None, None, "File isn't open for writing")
            with translated(self._name):
                self._writer = open(path_of(self._name), "ab" if self._appends else "wb")  # noqa: SIM115
        return self._writer

    def _given(self, data: bytes) -> Any:
        return data if self._binary else data.decode()

    def size(self) -> int:
        """How many bytes the file has."""
        return file_system.statistics(self._name).length

    def write(self, file_content: str | bytes) -> None:
        """Append text or bytes to what was written."""
        file = self._open_to_write()
        with translated(self._name):
            file.write(file_content.encode() if isinstance(file_content, str) else bytes(file_content))

    def read(self, n: int = -1) -> Any:
        """The next ``n`` bytes or characters; by default all that are left."""
        file = self._open_to_read()
        with translated(self._name):
            if n < 0:
                return self._given(file.read())
            data = file.read(n)
            while not self._binary and not _is_whole(data):
                more = file.read(1)
                if not more:
                    break
                data += more
            return self._given(data)

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Go to a place: ``offset`` from the start, from here (``whence=1``) or from the end (2).

        Raises:
          TypeError: there is no offset.
          InvalidArgumentError: ``whence`` is none of these.
        """
        file = self._open_to_read()
        if offset is not None and position is not None:
            raise TypeError("seek(): offset and position may not be set simultaneously.")
        offset = position if offset is None else offset
        if offset is None:
            raise TypeError("seek(): offset argument required")
        if whence not in (0, 1, 2):
            raise errors.InvalidArgumentError(
                None, None, f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2."
            )
        with translated(self._name):
            size = self.size()
            place = (0, file.tell(), size)[whence] + offset
            if place < 0:
                raise errors.InvalidArgumentError(None, None, f"Seeking to a negative position: {place}")
            file.seek(min(place, size))
        if place > size:
            raise errors.OutOfRangeError(None, None, "reached end of file")

    def readline(self) -> Any:
        """The next line with its end; empty at the end of the file."""
        file = self._open_to_read()
        with translated(self._name):
            return self._given(file.readline())

    def readlines(self) -> list[Any]:
        """The lines that are left."""
        return list(self)

    def tell(self) -> int:
        """Where reading goes on; for a file that is written, where writing does."""
        file = self._open_to_read() if self._reads else self._open_to_write()
        return file.tell()

    def seekable(self) -> bool:
        """Whether ``seek`` works: it does."""
        return True

    def flush(self) -> None:
        """Bring to the file what was written."""
        if self._writer is not None:
            with translated(self._name):
                self._writer.flush()

    def close(self) -> None:
        """Close the file; it can be read again, from its start."""
        reader, self._reader = self._reader, None
        writer, self._writer = self._writer, None
        for file in (reader, writer):
            if file is not None:
                with translated(self._name):
                    file.close()

    def __enter__(self) -> GFile:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    next = __next__


def _is_whole(data: bytes) -> bool:
    """Whether ``data`` ends with a whole character."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.end != len(data) and error.reason != "unexpected end of data"
    return True


class FileIO(GFile):
    """A file; the mode must be given."""

    def __init__(self, name: Any, mode: str) -> None:
        super().__init__(name, mode)


class FastGFile(GFile):
    """A file."""


Open = GFile


def file_exists(filename: Any) -> bool:
    """Whether there is such a file or directory."""
    return file_system.exists(filename)


def file_exists_v2(path: Any) -> bool:
    """Whether there is such a file or directory."""
    return file_system.exists(path)


def delete_file(filename: Any) -> None:
    """Delete a file."""
    file_system.remove(filename)


def delete_file_v2(path: Any) -> None:
    """Delete a file."""
    file_system.remove(path)


def read_file_to_string(filename: Any, binary_mode: bool = False) -> Any:
    """What a file holds, as text or with ``binary_mode`` as bytes."""
    data = file_system.read(filename)
    return data if binary_mode else data.decode()


def write_string_to_file(filename: Any, file_content: str | bytes) -> None:
    """Let a file hold ``file_content``."""
    file_system.write(filename, file_content.encode() if isinstance(file_content, str) else file_content)


def get_matching_files(filename: Any) -> list[str]:
    """The paths that match a pattern, or one of a list of patterns."""
    return file_system.matching(filename)


def get_matching_files_v2(pattern: Any) -> list[str]:
    """The paths that match a pattern, or one of a list of patterns."""
    return file_system.matching(pattern)


def create_dir(dirname: Any) -> None:
    """Make a directory in one that is there."""
    file_system.make_directory(dirname)


def create_dir_v2(path: Any) -> None:
    """Make a directory in one that is there."""
    file_system.make_directory(path)


def recursive_create_dir(dirname: Any) -> None:
    """Make a directory and those that it is in."""
    file_system.make_directories(dirname)


def recursive_create_dir_v2(path: Any) -> None:
    """Make a directory and those that it is in."""
    file_system.make_directories(path)


def copy(oldpath: Any, newpath: Any, overwrite: bool = False) -> None:
    """Copy a file; one that is there is kept unless ``overwrite``."""
    file_system.copy(oldpath, newpath, overwrite)


def copy_v2(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copy a file; one that is there is kept unless ``overwrite``."""
    file_system.copy(src, dst, overwrite)


def rename(oldname: Any, newname: Any, overwrite: bool = False) -> None:
    """Give a file another name; one that is there is kept unless ``overwrite``."""
    file_system.rename(oldname, newname, overwrite)


def rename_v2(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Give a file another name; one that is there is kept unless ``overwrite``."""
    file_system.rename(src, dst, overwrite)


def atomic_write_string_to_file(filename: Any, contents: str | bytes, overwrite: bool = True) -> None:
    """Let a file hold ``contents``: at no moment it holds a part of them."""
    temporary = f"{path_of(filename)}.tmp{os.urandom(16).hex()}"
    write_string_to_file(temporary, contents)
    try:
        file_system.rename(temporary, filename, overwrite)
    except errors.OpError:
        file_system.remove(temporary)
        raise


def delete_recursively(dirname: Any) -> None:
    """Delete a directory and all that is in it."""
    file_system.remove_tree(dirname)


def delete_recursively_v2(path: Any) -> None:
    """Delete a directory and all that is in it."""
    file_system.remove_tree(path)


def is_directory(dirname: Any) -> bool:
    """Whether there is such a directory."""
    return file_system.is_directory(dirname)


def is_directory_v2(path: Any) -> bool:
    """Whether there is such a directory."""
    return file_system.is_directory(path)


def list_directory(dirname: Any) -> list[str]:
    """The names in a directory, in their order."""
    return file_system.children(dirname)


def list_directory_v2(path: Any) -> list[str]:
    """The names in a directory, in their order."""
    return file_system.children(path)


def walk(top: Any, in_order: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:
    """(directory, names of directories in it, names of files in it) for ``top`` and all below it."""
    return file_system.walk(top, in_order)


def walk_v2(top: Any, topdown: bool = True, onerror: Any = None) -> Iterator[tuple[str, list[str], list[str]]]:
    """(directory, names of directories in it, names of files in it) for ``top`` and all below it."""
    return file_system.walk(top, topdown)


def stat(filename: Any) -> FileStatistics:
    """Length, time of the last change in nanoseconds, and whether it is a directory."""
    return file_system.statistics(filename)


def stat_v2(path: Any) -> FileStatistics:
    """Length, time of the last change in nanoseconds, and whether it is a directory."""
    return file_system.statistics(path)


def filecmp(filename_a: Any, filename_b: Any) -> bool:
    """Whether two files hold the same."""
    if stat(filename_a).length != stat(filename_b).length:
        return False
    return file_system.read(filename_a) == file_system.read(filename_b)


def file_crc32(filename: Any, block_size: int = 1 << 24) -> str:
    """CRC-32 of what a file holds, in hexadecimal digits."""
    return hex(file_system.checksum(filename, block_size))
