"""Every row of layers, cells, losses and metrics, by topic."""

from __future__ import annotations

import importlib
import pkgutil

from layer_table import LayerRow

ROWS: list[LayerRow] = [
    row
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__))
    for row in importlib.import_module(f"{__name__}.{module}").ROWS
]
