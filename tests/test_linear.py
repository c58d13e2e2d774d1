"""Reductions, matrix ops and neural-network ops against what TensorFlow 1.15.5 built, computed and said."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import retrograd
import retrograd.tf

HERE = Path(__file__).parent / "golden"
GOLDEN = json.loads((HERE / "linear.json").read_text())
# Loops and conditionals are structured here, so these have other nodes.
# TensorFlow's gradient of an inverse takes no notice of ``adjoint``; here it is the derivative.
OTHERWISE = {"norm/matrix 2", "expm", "expm/float32"}  # built from other ops than TensorFlow's
WITH_ADJOINT = {"matrix_inverse/adjoint", "matrix_determinant", "matrix_determinant/one"}


@pytest.fixture(scope="module")
def record() -> Iterator[Any]:
    """``record_linear.py``, run on retrograd."""
    retrograd.install()
    sys.path.insert(0, str(HERE))
    import record_linear

    sys.path.remove(str(HERE))
    yield record_linear
    retrograd.uninstall()


def close(got: Any, want: Any, tolerance: float) -> bool:
    """Whether nested lists hold the same numbers, up to rounding."""
    if isinstance(want, list):
        return (
            isinstance(got, list)
            and len(got) == len(want)
            and all(close(g, w, tolerance) for g, w in zip(got, want, strict=True))
        )
    if isinstance(want, float) and isinstance(got, float):
        return got == want or (got != got and want != want) or abs(got - want) <= tolerance * max(1.0, abs(want))
    return bool(got == want)


def agree(got: Any, want: Any) -> bool:
    """The same dtype and numbers; a complex value is a pair of such."""
    if not isinstance(want[0], str):
        return all(agree(g, w) for g, w in zip(got, want, strict=True))
    tolerance = {"float64": 1e-8, "float16": 2e-3}.get(want[0], 2e-5)
    return bool(got[0] == want[0]) and close(got[1], want[1], tolerance)


@pytest.mark.parametrize("name", sorted(GOLDEN["cases"]))
def test_case(record: Any, name: str) -> None:
    want = GOLDEN["cases"][name]
    got = record.outcome(record.CASES[name])
    if name in WITH_ADJOINT:
        assert [node.split()[:2] for node in got["nodes"]] == [node.split()[:2] for node in want["nodes"]]
    elif name not in OTHERWISE:
        assert got["nodes"] == want["nodes"]
        assert got["fetches"] == want["fetches"]
    assert len(got["values"]) == len(want["values"])
    for fetch, mine, theirs in zip(want["fetches"], got["values"], want["values"], strict=False):
        if name not in WITH_ADJOINT or not ("MatrixInverse_grad" in fetch or fetch == "gradients_1/AddN:0"):
            assert agree(mine, theirs), (fetch, mine, theirs)


@pytest.mark.parametrize("name", sorted(GOLDEN["errors"]))
def test_error(record: Any, name: str) -> None:
    want = GOLDEN["errors"][name]
    assert record.complaint(record.ERRORS[name]) == want


def test_matrix_exponential_is_one_op() -> None:
    """TensorFlow composes it with a loop of squarings; here it is an op, whose gradient is one too."""
    tf = retrograd.tf
    with tf.Graph().as_default() as graph:
        x = tf.constant([[0.0, 1.0], [-1.0, 0.0]])
        y = tf.linalg.expm(x)
        gradient = tf.gradients(tf.gradients(y, x)[0], x)[0]
        assert {op.type for op in graph.get_operations()} >= {"MatrixExponential"}
        with tf.Session() as session:
            value, second = session.run([y, gradient])
    assert value.ravel().tolist() == pytest.approx([0.5403023, 0.8414710, -0.8414710, 0.5403023], abs=1e-6)
    assert second.shape == (2, 2)


def test_two_norm_of_matrices_has_no_loop() -> None:
    """TensorFlow permutes the axes by ``map_fn``; here they are put in order without it."""
    tf = retrograd.tf
    with tf.Graph().as_default() as graph:
        norms = tf.norm(tf.constant([[[3.0], [4.0]]]), ord=2, axis=[1, 2])
        assert "Enter" not in {op.type for op in graph.get_operations()}
        with tf.Session() as session:
            assert session.run(norms).tolist() == pytest.approx([5.0])


@pytest.mark.parametrize("scan", ["cumsum", "cumprod", "cumulative_logsumexp"])
def test_a_scan_learns_of_a_wrong_axis_when_it_runs(scan: str) -> None:
    tf = retrograd.tf
    words = ["Expected scan axis in the range [-2, 2), but got 2", "axis must be a scalar, not [1]"]
    with tf.Graph().as_default(), tf.Session() as session:
        for axis, said in zip((2, [0]), words, strict=True):
            y = getattr(tf.math, scan)(tf.ones([2, 2]), axis)
            assert y.shape.as_list() == [2, 2]
            with pytest.raises(tf.errors.InvalidArgumentError, match=f"^ScanOp: {re.escape(said)}"):
                session.run(y)
