"""Programs on the path."""

from shutil import which


def find_executable(executable: str, path: str | None = None) -> str | None:
    """Where the program ``executable`` lies."""
    return which(executable, path=path)
