"""Folders: make, copy, remove."""

from __future__ import annotations

import os
import shutil


def mkpath(name: str, mode: int = 0o777, verbose: int = 1, dry_run: int = 0) -> list[str]:
    """Make a folder and those above it; the folders made."""
    made = []
    place = os.path.normpath(name)
    while place and not os.path.isdir(place):
        made.append(place)
        place = os.path.dirname(place)
    if not dry_run:
        os.makedirs(name, mode, exist_ok=True)
    return made[::-1]


def copy_tree(src: str, dst: str, *_: object, **__: object) -> list[str]:
    """Copy what is in ``src`` into ``dst``; the files written."""
    shutil.copytree(src, dst, dirs_exist_ok=True)
    inside = [os.path.relpath(os.path.join(at, file), src) for at, _, files in os.walk(src) for file in files]
    return [os.path.join(dst, file) for file in inside]


def remove_tree(directory: str, verbose: int = 1, dry_run: int = 0) -> None:
    """Remove a folder with all that is in it."""
    if not dry_run:
        shutil.rmtree(directory)
