"""Holding programs to what ``golden/record_cases.py`` recorded of them under TensorFlow 1.15.5."""

from __future__ import annotations

import gzip
import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from golden import effect_cases, layer_cases

from retrograd import tf
from retrograd.graph.dtypes import DType
from retrograd.graph.shapes import TensorShape


def golden(name: str) -> Any:
    """What was recorded under ``name``."""
    return json.loads(gzip.decompress((Path(__file__).parent / "golden" / f"{name}.json.gz").read_bytes()))


def nodes_of(graph: Any) -> list[dict[str, Any]]:
    """The nodes of a graph as they were recorded."""
    return [
        {
            "name": op.name,
            "op": op.type,
            "inputs": [t.name for t in op.inputs],
            "waits": sorted(c.name for c in op.control_inputs),
            "outputs": [[t.dtype.name, None if t.shape.ndims is None else t.shape.as_list()] for t in op.outputs],
            "attrs": {k: attr(v) for k, v in sorted(op.attrs.items()) if k != "token"},
        }
        for op in graph.get_operations()
    ]


def attr(value: Any, plain: Callable[[Any, Any], Any] = effect_cases.plain) -> Any:
    """An attribute as it is recorded, arrays by ``plain``."""
    if isinstance(value, DType):
        return value.name
    if isinstance(value, TensorShape):
        return None if value.ndims is None else value.as_list()
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, np.ndarray):
        return plain(np, value)
    if isinstance(value, list | tuple):
        return [attr(v, plain) for v in value]
    return value


def error_of(error: BaseException) -> list[str]:
    """The class and the first line of an error, without values that TensorFlow adds where it knows them."""
    text = str(error).split("\n\t [[")[0].split("\nTraceback")[0].split("\n  Why:")[0]
    return [type(error).__name__, re.sub(r" and with (input tensors )?computed .*", ".", text)]


def near(got: Any, want: Any, amplified: int = 1) -> bool:
    """Whether a value is the recorded one, up to rounding of floats, perhaps ``amplified``."""
    if got[:2] != want[:2] or got[0] == "object" or "int" in got[0] or got[0] == "bool":
        return got == want
    if "complex" in got[0]:
        got, want = ([*value[:2], [complex(z) for z in value[2]]] for value in (got, want))
        return np.allclose(np.complex128(got[2]), np.complex128(want[2]), rtol=2e-5, atol=2e-6, equal_nan=True)
    return np.allclose(np.float64(got[2]), np.float64(want[2]), rtol=2e-5, atol=1e-6 * amplified, equal_nan=True)


def check(
    module: Any,
    name: str,
    want: Any,
    nodes: bool = True,
    amplified: int = 1,
    collections: bool | None = None,
    is_near: Callable[[Any, Any], bool] | None = None,
) -> None:
    """The nodes, collections, values and errors of one program are those recorded; or only values and errors.

    ``collections`` are looked at where nodes are, by default; ``is_near`` tells what values are near besides.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecations, as in TensorFlow
        got = layer_cases.outcome(
            tf, np, module.CASES[name], nodes_of if nodes else _none, error_of, effect_cases.plain
        )
    got = json.loads(json.dumps(got))
    assert _uncounted(got.get("error")) == _uncounted(want.get("error")), got
    if nodes:
        _check_nodes(got, want)
    if nodes if collections is None else collections:
        assert got.get("collections") == want.get("collections")
    for i, (mine, wanted) in enumerate(zip(got.get("values", []), want.get("values", []), strict=True)):
        assert near(mine, wanted, amplified) or (is_near is not None and is_near(mine, wanted)), (i, mine, wanted)


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
