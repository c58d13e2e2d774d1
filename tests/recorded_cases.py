"""Holding programs to what ``golden/record_cases.py`` recorded of them under TensorFlow 1.15.5."""

from __future__ import annotations

import gzip
import json
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from golden import effect_cases, layer_cases
from test_effects import _error, _nodes

from retrograd import tf


def golden(name: str) -> Any:
    """What was recorded under ``name``."""
    return json.loads(gzip.decompress((Path(__file__).parent / "golden" / f"{name}.json.gz").read_bytes()))


def near(got: Any, want: Any, amplified: int = 1) -> bool:
    """Whether a value is the recorded one, up to rounding of floats, perhaps ``amplified``."""
    if got[:2] != want[:2] or got[0] == "object" or "int" in got[0] or got[0] == "bool":
        return got == want
    if "complex" in got[0]:
        got, want = ([*value[:2], [complex(z) for z in value[2]]] for value in (got, want))
        return np.allclose(np.complex128(got[2]), np.complex128(want[2]), rtol=2e-5, atol=2e-6, equal_nan=True)
    return np.allclose(np.float64(got[2]), np.float64(want[2]), rtol=2e-5, atol=1e-6 * amplified, equal_nan=True)


def check(module: Any, name: str, want: Any, nodes: bool = True, amplified: int = 1) -> None:
    """The nodes, collections, values and errors of one program are those recorded; or only values and errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecations, as in TensorFlow
        got = layer_cases.outcome(tf, np, module.CASES[name], _nodes if nodes else _none, _error, effect_cases.plain)
    got = json.loads(json.dumps(got))
    assert _uncounted(got.get("error")) == _uncounted(want.get("error")), got
    if nodes:
        _check_nodes(got, want)
    for i, (mine, wanted) in enumerate(zip(got.get("values", []), want.get("values", []), strict=True)):
        assert near(mine, wanted, amplified), (i, mine, wanted)


def _uncounted(error: Any) -> Any:
    """An error without the number of tensor arrays that the process has made, which names them."""
    return error and [re.sub(r"(TensorArray \w+)_\d+:", r"\1:", text) for text in error]


def _none(graph: Any) -> list[Any]:
    """No nodes: they are not compared."""
    return []


def _check_nodes(got: Any, want: Any) -> None:
    ours = {n["name"]: n for n in got.get("nodes", [])}
    theirs = {n["name"]: n for n in want.get("nodes", [])}
    assert ours.keys() == theirs.keys()
    for node, record in theirs.items():
        assert ours[node] == record, (node, ours[node], record)
    assert got.get("collections") == want.get("collections")
