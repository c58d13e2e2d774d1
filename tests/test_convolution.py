"""Convolution, pooling, normalization, sampled losses and CTC against TensorFlow 1.15.5: nodes, numbers, messages."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd

HERE = Path(__file__).parent / "golden"
GOLDEN = json.loads(gzip.decompress((HERE / "convolution.json.gz").read_bytes()))


@pytest.fixture(scope="module")
def record() -> Iterator[Any]:
    """``record_convolution.py``, run on retrograd."""
    retrograd.install()
    sys.path.insert(0, str(HERE))
    import record_convolution

    sys.path.remove(str(HERE))
    yield record_convolution
    retrograd.uninstall()


def assert_close(got: Any, want: Any) -> None:
    """The same dtype, and numbers that differ by the rounding of a few sums of products."""
    assert got[0] == want[0]
    wanted = np.asarray(want[1], float)
    close = {"float64": 1e-10, "float16": 5e-3}.get(want[0], 1e-4)
    np.testing.assert_allclose(
        np.asarray(got[1], float), wanted, rtol=close, atol=close * np.abs(wanted[np.isfinite(wanted)]).max(initial=0)
    )


@pytest.mark.parametrize("name", sorted(GOLDEN["cases"]))
def test_case(record: Any, name: str) -> None:
    want = GOLDEN["cases"][name]
    got = record.outcome(record.CASES[name])
    assert got["nodes"] == want["nodes"]
    assert got["fetches"] == want["fetches"]
    for mine, theirs in zip(got["values"], want["values"], strict=True):
        assert_close(mine, theirs)


@pytest.mark.parametrize("name", sorted(GOLDEN["errors"]))
def test_error(record: Any, name: str) -> None:
    assert record.complaint(record.ERRORS[name]) == GOLDEN["errors"][name]
