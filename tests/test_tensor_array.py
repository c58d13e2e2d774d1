"""``TensorArray``, ``map_fn``, ``scan`` and the folds, against TensorFlow 1.15.5 (``golden/tensor_arrays.json.gz``)."""

import gzip
import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from golden import effect_cases, tensor_array_cases
from test_effects import _nodes

from retrograd import tf

GOLDEN = json.loads(gzip.decompress((Path(__file__).parent / "golden" / "tensor_arrays.json.gz").read_bytes()))


def _error(error):
    text = str(error).split("\n\t [[")[0].split("\n  Why:")[0]
    return [type(error).__name__, _unnumbered(text)]


def _unnumbered(text):
    """Without the number of an array of a process, and without what shape rules have read."""
    return re.sub(r" and with (input tensors )?computed .*", ".", re.sub(r"(TensorArray \w+)_\d+", r"\1", text))


def _by_name(nodes, with_gradients):
    """The nodes in no order: what brings a tensor into a loop stands before its reader, in TensorFlow behind it."""
    if not with_gradients:  # of loops they are other nodes, and so is what a loop keeps for them
        nodes = [n for n in nodes if n["op"] != "LoopHistory" and not n["name"].startswith("gradients")]
    return {n["name"]: n for n in nodes}


@pytest.mark.parametrize("name", tensor_array_cases.CASES, ids=lambda name: name[:80])
def test_as_recorded(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = effect_cases.outcome(tf, np, tensor_array_cases.CASES[name], _nodes, _error)
    got, want = json.loads(json.dumps(got)), GOLDEN[name]
    assert got.get("error") == ([want["error"][0], _unnumbered(want["error"][1])] if "error" in want else None)
    with_gradients = not name.startswith("loop gradient")
    if "error" not in want:
        assert _by_name(got["nodes"], with_gradients) == _by_name(want["nodes"], with_gradients)
    for (kind, shape, ours), (their_kind, their_shape, theirs) in zip(
        got.get("values", []), want.get("values", []), strict=True
    ):
        assert (kind, shape) == (their_kind, their_shape)
        if "float" in kind:
            np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)
        else:
            assert ours == theirs
