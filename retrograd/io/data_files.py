"""``tf.resource_loader``: paths of files that lie beside a program's module.

The folder is that of the file whose code makes the call.
"""

from __future__ import annotations

import os
import sys
from typing import Any


def get_data_files_path() -> str:
    """The folder of the file that calls this, as the interpreter names it: "" where that name has no folder."""
    return os.path.dirname(sys._getframe(1).f_code.co_filename)


def get_path_to_datafile(path: str) -> str:
    """``path`` beside the file that calls this."""
    return os.path.join(os.path.dirname(sys._getframe(1).f_code.co_filename), path)


def readahead_file_path(path: Any, readahead: str = "128M") -> Any:
    """``path`` itself: on local disks nothing is read ahead."""
    return path
