"""A few float32 numbers come out as TensorFlow 1.15.5's kernels round them: ``golden/last_digits.json``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from golden import last_digit_cases

from retrograd import tf

RECORD = json.loads((Path(__file__).parent / "golden" / "last_digits.json").read_text())


@pytest.fixture(scope="module")
def results() -> dict[str, list[str]]:
    return last_digit_cases.results(tf)


@pytest.mark.parametrize("name", RECORD)
def test_last_digits(name: str, results: dict[str, list[str]]) -> None:
    mine, theirs = (
        [np.frombuffer(bytes.fromhex(row), np.float32) for row in rows] for rows in (results[name], RECORD[name])
    )
    np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("name", ["exp", "tanh", "sin"])
def test_large_arrays_agree_with_small_ones(name: str) -> None:
    x = np.linspace(-4.0, 4.0, 2000, dtype=np.float32)
    with tf.Graph().as_default(), tf.Session() as sess:
        y = getattr(tf, name)(tf.placeholder(tf.float32))
        p = y.op.inputs[0]
        whole = sess.run(y, {p: x})
        np.testing.assert_allclose(whole, np.concatenate([sess.run(y, {p: part}) for part in np.split(x, 4)]), 1e-6)
