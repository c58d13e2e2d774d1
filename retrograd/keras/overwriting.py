"""Whether a file that is there may be written over: the user is asked."""

from __future__ import annotations

import os
from typing import Any


def may_write(path: Any, overwrite: bool) -> bool:
    """Whether to write ``path``: without ``overwrite`` the user says so if it is there.

    Raises:
      EOFError: nobody answers.
    """
    if overwrite or not isinstance(path, str | os.PathLike) or not os.path.exists(path):
        return True
    return ask(os.fspath(path))


def ask(path: str) -> bool:
    """Whether the user says that ``path`` may be written over.

    Raises:
      EOFError: nobody answers.
    """
    answer = input(f"[WARNING] {path} already exists - overwrite? [y/n]").strip().lower()
    while answer not in ("y", "n"):
        answer = input('Enter "y" (overwrite) or "n" (cancel).').strip().lower()
    if answer == "y":
        print("[TIP] Next time specify overwrite=True!")
    return answer == "y"
