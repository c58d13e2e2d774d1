"""Every row of public functions, by topic."""

from __future__ import annotations

import importlib
import pkgutil

from function_table import FunctionRow

ROWS: list[FunctionRow] = [
    row
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__))
    for row in importlib.import_module(f"{__name__}.{module}").ROWS
]
