"""Array ops against TensorFlow 1.15.5: nodes, values, gradients and messages of ``golden/arrays.json.gz``."""

import gzip
import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from golden import array_cases

from retrograd import tf
from retrograd.graph.dtypes import DType
from retrograd.graph.shapes import TensorShape

GOLDEN = json.loads(gzip.decompress((Path(__file__).parent / "golden" / "arrays.json.gz").read_bytes()))


def _attr(value):
    if isinstance(value, DType):
        return value.name
    if isinstance(value, TensorShape):
        return None if value.ndims is None else value.as_list()
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, np.ndarray):
        return array_cases.plain(np, value)
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
            "attrs": {k: _attr(v) for k, v in sorted(op.attrs.items())},
        }
        for op in graph.get_operations()
    ]


def _error(error):
    return [type(error).__name__, str(error).split("\n")[0]]


def _without_values(error):
    """A message without the values of inputs that TensorFlow adds where its shape function read them."""
    return error and [error[0], error[1].split(" and with ")[0].rstrip(".")]


def _same(got, want):
    if got[:2] != want[:2]:
        return False
    if got[0] == "object" or any(isinstance(v, str) for v in (*got[2], *want[2])):
        return got[2] == want[2]
    return np.allclose(got[2], want[2], rtol=2e-4, atol=1e-5)


@pytest.mark.parametrize("name", array_cases.CASES)
def test_as_recorded(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # gradients that become dense warn, as they do in TensorFlow
        got = array_cases.outcome(tf, np, array_cases.CASES[name], _nodes, _error)
    got, want = json.loads(json.dumps(got)), GOLDEN[name]
    if "error" not in got and "No gradient defined" in str(want.get("error")):
        return  # there is one here
    assert _without_values(got.get("error")) == _without_values(want.get("error"))
    if not name.startswith(("error: ", "values: ")):
        assert got["nodes"] == want["nodes"]
    for ours, theirs in zip(got.get("values", []), want.get("values", []), strict=True):
        assert _same(ours, theirs), (ours, theirs)
