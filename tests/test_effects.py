"""Random, host, checking and string ops against TensorFlow 1.15.5: ``golden/effects.json.gz``."""

import gzip
import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from golden import effect_cases

from retrograd import tf
from retrograd.graph.dtypes import DType
from retrograd.graph.shapes import TensorShape

GOLDEN = json.loads(gzip.decompress((Path(__file__).parent / "golden" / "effects.json.gz").read_bytes()))


def _attr(value):
    if isinstance(value, DType):
        return value.name
    if isinstance(value, TensorShape):
        return None if value.ndims is None else value.as_list()
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, np.ndarray):
        return effect_cases.plain(np, value)
    if isinstance(value, list | tuple):
        return [_attr(v) for v in value]
    return value


def _nodes(graph):
    return [
        {
            "name": op.name,
            "op": op.type,
            "inputs": [t.name for t in op.inputs],
            "waits": sorted(c.name for c in op.control_inputs),
            "outputs": [[t.dtype.name, None if t.shape.ndims is None else t.shape.as_list()] for t in op.outputs],
            "attrs": {k: _attr(v) for k, v in sorted(op.attrs.items()) if k != "token"},
        }
        for op in graph.get_operations()
    ]


def _error(error):
    text = str(error).split("\n\t [[")[0].split("\nTraceback")[0].split("\n  Why:")[0]
    return [type(error).__name__, re.sub(r" and with (input tensors )?computed .*", ".", text)]


def _outside_guards(nodes):
    """The nodes but those of the ``cond`` that TensorFlow puts around an assertion on floats."""
    return [n for n in nodes if "/AssertGuard/" not in n["name"] and n["name"] != "Assert/Condition"]


def _same(got, want):
    if got[:2] != want[:2] or got[0] in ("object", "complex64", "bool") or "int" in got[0]:
        return got == want
    return np.allclose(np.float64(got[2]), np.float64(want[2]), rtol=2e-6, atol=0, equal_nan=True)


@pytest.mark.parametrize("name", effect_cases.CASES)
def test_as_recorded(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecations, as in TensorFlow
        got = effect_cases.outcome(tf, np, effect_cases.CASES[name], _nodes, _error)
    got, want = json.loads(json.dumps(got)), GOLDEN[name]
    assert got.get("error") == want.get("error")
    if not name.startswith("values: "):
        assert _outside_guards(got["nodes"]) == _outside_guards(want["nodes"])
    for ours, theirs in zip(got.get("values", []), want.get("values", []), strict=True):
        assert _same(ours, theirs), (ours, theirs)
