"""Every op's row, by topic."""

from __future__ import annotations

import importlib
import pkgutil

from case_table import Row

ROWS: list[Row] = [
    row
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__))
    for row in importlib.import_module(f"{__name__}.{module}").ROWS
]
