"""Layers, losses, metrics and recurrent networks against TensorFlow 1.15.5: ``golden/layers.json.gz``."""

import gzip
import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from golden import effect_cases, layer_cases
from test_effects import _error, _nodes

from retrograd import tf

GOLDEN = json.loads(gzip.decompress((Path(__file__).parent / "golden" / "layers.json.gz").read_bytes()))


def _near(got, want):
    if got[:2] != want[:2] or got[0] == "object" or "int" in got[0] or got[0] == "bool":
        return got == want
    return np.allclose(np.float64(got[2]), np.float64(want[2]), rtol=2e-5, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("name", layer_cases.CASES)
def test_as_recorded(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecations, as in TensorFlow
        code = layer_cases.CASES[name]
        got = layer_cases.outcome(tf, np, code, _nodes, _error, effect_cases.plain)
    got, want = json.loads(json.dumps(got)), GOLDEN[name]
    assert got.get("error") == want.get("error")
    ours = {n["name"]: n for n in got.get("nodes", [])}
    theirs = {n["name"]: n for n in want.get("nodes", [])}
    assert ours.keys() == theirs.keys()
    for node, record in theirs.items():
        assert ours[node] == record
    assert got.get("collections") == want.get("collections")
    for i, (mine, wanted) in enumerate(zip(got.get("values", []), want.get("values", []), strict=True)):
        assert _near(mine, wanted), (i, mine, wanted)
