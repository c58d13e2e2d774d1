"""Random, host, checking and string ops against TensorFlow 1.15.5: ``golden/effects.json.gz``."""

import gzip
import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from golden import effect_cases
from recorded_cases import error_of, nodes_of

from retrograd import tf

GOLDEN = json.loads(gzip.decompress((Path(__file__).parent / "golden" / "effects.json.gz").read_bytes()))


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
        got = effect_cases.outcome(tf, np, effect_cases.CASES[name], nodes_of, error_of)
    got, want = json.loads(json.dumps(got)), GOLDEN[name]
    assert got.get("error") == want.get("error")
    if not name.startswith("values: "):
        assert _outside_guards(got["nodes"]) == _outside_guards(want["nodes"])
    for ours, theirs in zip(got.get("values", []), want.get("values", []), strict=True):
        assert _same(ours, theirs), (ours, theirs)
