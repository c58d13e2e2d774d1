"""``tf.resource_loader``: files that lie beside a program's own sources."""

from __future__ import annotations

import inspect
import os


def get_data_files_path() -> str:
    """The folder of the file that calls this."""
    return os.path.dirname(inspect.stack()[1].filename)


def get_path_to_datafile(path: str) -> str:
    """``path`` in the folder of the file that calls this."""
    return os.path.join(os.path.dirname(inspect.stack()[1].filename), path)


def readahead_file_path(path: str, readahead: str = "128M") -> str:
    """The path itself: nothing is read ahead."""
    return path
