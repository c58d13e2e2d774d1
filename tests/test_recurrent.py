"""Cells, decoders, attention and linear-chain fields against TensorFlow 1.15.5: ``golden/recurrent.json.gz``."""

import gzip
import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from golden import effect_cases, layer_cases, recurrent_cases
from test_effects import _error, _nodes
from test_layers import _near

from retrograd import tf

GOLDEN = json.loads(gzip.decompress((Path(__file__).parent / "golden" / "recurrent.json.gz").read_bytes()))


@pytest.mark.parametrize("name", recurrent_cases.CASES)
def test_as_recorded(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecations, as in TensorFlow
        code = recurrent_cases.CASES[name]
        got = layer_cases.outcome(tf, np, code, _nodes, _error, effect_cases.plain)
    got, want = json.loads(json.dumps(got)), GOLDEN[name]
    assert got.get("error") == want.get("error")
    ours = {n["name"]: n for n in got.get("nodes", [])}
    theirs = {n["name"]: n for n in want.get("nodes", [])}
    if not any("/b_count" in node for node in theirs):  # gradients of loops have nodes of our own
        assert ours.keys() == theirs.keys()
        for node, record in theirs.items():
            assert ours[node] == record
    assert got.get("collections") == want.get("collections")
    for i, (mine, wanted) in enumerate(zip(got.get("values", []), want.get("values", []), strict=True)):
        assert _near(mine, wanted), (i, mine, wanted)
