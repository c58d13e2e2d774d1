"""TensorFlow among the packages that are installed, for programs that ask for its version there."""

from __future__ import annotations

from importlib import metadata
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from retrograd.graph.versions import VERSION
from retrograd.revival.putting import undo


class TensorFlow(metadata.Distribution):
    """What ``importlib.metadata`` shows as the package ``tensorflow``."""

    def read_text(self, filename: str) -> str | None:
        """The description; there is no other file."""
        return f"Metadata-Version: 2.1\nName: tensorflow\nVersion: {VERSION}\n" if filename == "METADATA" else None

    def locate_file(self, path: str | PathLike[str]) -> Path:
        """Beside this library."""
        return Path(__file__).parents[2] / fspath(path)


def revive_pkg_resources(pkg_resources: Any) -> None:
    """``pkg_resources.require("tensorflow>=1.0.0")``."""
    known = pkg_resources.working_set
    if "tensorflow" not in known.by_key:
        known.add(pkg_resources.Distribution(project_name="tensorflow", version=VERSION))
        undo.append(lambda: known.by_key.pop("tensorflow", None))
