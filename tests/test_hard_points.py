"""Values, gradients and second-order gradients at hard points against TensorFlow 1.15.5."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd

HERE = Path(__file__).parent / "golden"
RECORDED = json.loads(gzip.decompress((HERE / "hard_points.json.gz").read_bytes()))
PRECISION = {"float32": 1e-5, "float64": 1e-10}


@pytest.fixture(scope="module")
def record() -> Any:
    """``record_hard_points.py``, run on retrograd."""
    retrograd.install()
    sys.path.insert(0, str(HERE))
    import record_hard_points

    sys.path.remove(str(HERE))
    yield record_hard_points
    retrograd.uninstall()


def read(value: Any) -> Any:
    return np.array([float(v) for v in value["values"].split()]).reshape(value["shape"])


def check(got: Any, want: Any, tolerance: float) -> None:
    """The same numbers up to rounding, and nan where TensorFlow has nan; or the same error."""
    if isinstance(want, dict):
        got, want = read(got), read(want)
        largest = np.abs(want[np.isfinite(want)]).max(initial=1.0)
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance * largest)
    elif isinstance(want, list):
        for mine, theirs in zip(got, want, strict=True):
            check(mine, theirs, tolerance)
    else:
        assert got == want


def is_missing(recorded: Any) -> bool:
    """Whether TensorFlow has no such derivative."""
    return isinstance(recorded, str) and recorded.startswith(("NotImplementedError", "LookupError"))


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")
@pytest.mark.parametrize("label", RECORDED)
def test_as_recorded(record: Any, label: str) -> None:
    want = RECORDED[label]
    for dtype, precision in PRECISION.items():
        nodes, got = record.outcome(*record.CASES[label], dtype)
        if dtype == "float32" and not any(map(is_missing, want[dtype].values())):
            assert nodes == want["nodes"]
        for order, (key, recorded) in enumerate(want[dtype].items()):
            if is_missing(recorded):
                break  # TensorFlow cannot go on from here
            check(got[key], recorded, precision * 10 ** (order + record.LOST[label]))
