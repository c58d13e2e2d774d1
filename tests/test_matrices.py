"""Tridiagonal matrices, triangular factors, labelled axes: what TensorFlow 1.15.5 built, computed and said."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_linear import agree

import retrograd
import retrograd.tf as tf

HERE = Path(__file__).parent / "golden"
RECORDED = json.loads(gzip.decompress((HERE / "matrices.json.gz").read_bytes()))


@pytest.fixture(scope="module")
def record() -> Iterator[Any]:
    """``record_matrices.py``, run on retrograd."""
    retrograd.install()
    sys.path.insert(0, str(HERE))
    import record_matrices

    sys.path.remove(str(HERE))
    yield record_matrices
    retrograd.uninstall()


@pytest.mark.parametrize("name", RECORDED)
def test_case(record: Any, name: str) -> None:
    want, got = RECORDED[name], record.found(record.CASES[name])
    assert got.get("error") == want.get("error")
    if "error" not in want:
        assert got["nodes"] == want["nodes"]
        assert got["fetches"] == want["fetches"]
        for mine, theirs in zip(got["values"], want["values"], strict=True):
            assert agree(mine, theirs), (mine, theirs)


def test_complex_tridiagonal_systems_have_a_complex_gradient() -> None:
    """TensorFlow's rule leaves out the conjugates; a difference along a line in float64 tells."""
    random = np.random.RandomState(0)
    value, step = (random.randn(3, 4) + 1j * random.randn(3, 4) for _ in range(2))
    with tf.Graph().as_default(), tf.Session() as sess:
        t = tf.placeholder(tf.float64, [])
        sides = tf.constant(random.randn(4, 2) + 1j * random.randn(4, 2))
        y = tf.reduce_sum(tf.real(tf.linalg.tridiagonal_solve(value + tf.cast(t, tf.complex128) * step, sides)))
        (slope,) = tf.gradients(y, t)
        numerical = (sess.run(y, {t: 1e-5}) - sess.run(y, {t: -1e-5})) / 2e-5
        assert sess.run(slope, {t: 0.0}) == pytest.approx(numerical, rel=1e-6)


def test_nan_in_a_running_logsumexp() -> None:
    """TensorFlow takes nan for the lowest number where it comes first."""
    with tf.Graph().as_default(), tf.Session() as sess:
        got = sess.run(tf.math.cumulative_logsumexp([np.nan, 1.0, 2.0]))
        assert np.isnan(got).all()
