"""Folders that TensorFlow wrote, kept as text."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path


def unpacked(files: Mapping[str, str], folder: Path) -> str:
    """The path of ``folder``, in which the files of these names and contents now stand."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(content))
    return str(folder)
