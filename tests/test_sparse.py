"""Sparse tensors and slices against TensorFlow 1.15.5: nodes, values, gradients and messages of ``sparse.json.gz``."""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import sparse_cases
from golden.array_cases import plain
from test_arrays import _error, _nodes, _same, _without_values

from retrograd import tf

GOLDEN = json.loads(gzip.decompress((Path(__file__).parent / "golden" / "sparse.json.gz").read_bytes()))


def _cut_to_kinds(got: dict[str, Any], want: dict[str, Any]) -> None:
    """Leave out the gradients that TensorFlow does not give."""
    stopped = ("first/", "second/")[len(want["kinds"]) - 1 :]
    for result in (got, want):
        result["nodes"] = [n for n in result["nodes"] if not n["name"].startswith(stopped)]
    for part in ("kinds", "values"):
        got[part] = got[part][: len(want[part])]


@pytest.mark.parametrize("name", sparse_cases.CASES)
def test_as_recorded(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # slices that become dense warn, as they do in TensorFlow
        got = sparse_cases.outcome(tf, np, sparse_cases.CASES[name], plain, _nodes, _error)
    got, want = json.loads(json.dumps(got, default=str)), GOLDEN[name]
    assert _without_values(got.get("error")) == _without_values(want.get("error"))
    if "no gradient" in want:  # retrograd goes on where TensorFlow stops
        _cut_to_kinds(got, want)
    if not name.startswith("error: "):
        assert got["kinds"] == want["kinds"]
        assert got["nodes"] == want["nodes"] or "[values: " in name
    for ours, theirs in zip(got.get("values", []), want.get("values", []), strict=True):
        assert _same(ours, theirs), (ours, theirs)
