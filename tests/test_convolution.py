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
from retrograd import tf

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


# -- what is meant to differ -------------------------------------------------------------------


def test_channels_first_dilations_and_groups_are_computed() -> None:
    x = np.random.RandomState(0).randn(2, 6, 5, 4)
    w = np.random.RandomState(1).randn(3, 2, 4, 3)
    with tf.Graph().as_default(), tf.Session() as sess:
        planes = tf.constant(x.transpose(0, 3, 1, 2))
        last = tf.nn.conv2d(x, w, 2, "SAME")
        first = tf.nn.conv2d(planes, w, 2, "SAME", data_format="NCHW")
        np.testing.assert_allclose(*sess.run([tf.transpose(first, [0, 2, 3, 1]), last]))
        dilated = tf.nn.conv2d(planes, w, 1, "SAME", data_format="NCHW", dilations=2)
        same = tf.nn.convolution(x, w, "SAME", dilation_rate=[2, 2])
        np.testing.assert_allclose(*sess.run([tf.transpose(dilated, [0, 2, 3, 1]), same]))
        both = tf.gradients([dilated, tf.transpose(same, [0, 3, 1, 2])], [planes])[0]
        assert np.isfinite(sess.run(both)).all()
        grouped = tf.nn.conv2d(x, w[:, :, :2, :2], 1, "VALID")
        halves = [tf.nn.conv2d(x[..., 2 * i : 2 * i + 2], w[:, :, :2, i : i + 1], 1, "VALID") for i in range(2)]
        np.testing.assert_allclose(*sess.run([grouped, tf.concat(halves, 3)]))
        pooled = tf.nn.max_pool(planes, 2, 2, "SAME", data_format="NCHW")
        np.testing.assert_array_equal(
            *sess.run([tf.transpose(pooled, [0, 2, 3, 1]), tf.nn.max_pool(tf.constant(x), 2, 2, "SAME")])
        )


def test_largest_of_nothing_but_nan_and_infinity() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(np.array([np.nan, np.nan, -np.inf, -np.inf, np.nan, 1], np.float32).reshape(1, 1, 6, 1))
        y = tf.nn.max_pool(x, [1, 2], [1, 2], "VALID")
        dx = tf.gradients(y, x)[0]
        y, dx = sess.run([y, dx])
        assert [str(v) for v in y.ravel().tolist()] == ["nan", "-inf", "1.0"]
        assert dx.ravel().tolist() == [1, 0, 1, 0, 0, 1]


def test_given_statistics_come_back() -> None:
    mean, variance = np.float32([1, 2]), np.float32([3, 4])
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder_with_default(np.ones((1, 2, 2, 2), np.float32), [None, 2, 2, 2])
        outputs = tf.nn.fused_batch_norm(x, mean, mean, mean, variance, is_training=False)
        for got, want in zip(sess.run(outputs[1:]), (mean, variance), strict=True):
            np.testing.assert_array_equal(got, want)


def test_second_derivatives_of_normalization_and_dilation() -> None:
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        x = tf.constant(np.random.RandomState(0).randn(1, 3, 3, 2).astype(np.float32))
        scale = tf.constant([1.0, 2.0])
        for y in (
            tf.nn.lrn(x),
            tf.nn.fused_batch_norm(x, scale, scale)[0],
            tf.nn.dilation2d(x, tf.ones([2, 2, 2]), [1, 1, 1, 1], [1, 1, 1, 1], "SAME"),
        ):
            (dx,) = tf.gradients(y * y, x)
            (ddx,) = tf.gradients(dx, x)
            assert np.isfinite(sess.run(ddx)).all()
        assert {op.type for op in graph.get_operations()} >= {"VJP"}


def test_windows_that_cannot_be_are_told_in_the_run() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x, w = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        y = tf.nn.conv2d(x, w, [2, 1, 1, 1], "SAME")
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed"):
            sess.run(y)
        with pytest.raises(tf.errors.InvalidArgumentError, match="strides in the batch and depth dimensions"):
            sess.run(y, {x: np.ones((1, 3, 3, 1)), w: np.ones((1, 1, 1, 1))})


def test_batch_norm_of_graphs_before_version_9():
    """The second element of each output, as TensorFlow 1.15.5 gives it for these numbers."""
    r = np.random.RandomState(0)
    t, m, v, beta, gamma = r.rand(2, 3, 3, 4), r.rand(4), r.rand(4) + 0.5, r.rand(4), r.rand(4)
    dy = r.rand(2, 3, 3, 4)
    recorded = {
        True: [0.4514179825782776, 0.31291282176971436, -3.3495547771453857, 0.3057650029659271, 9.947589874267578,
               -1.431406855583191],
        False: [0.5542647242546082, 1.1790701150894165, -12.621277809143066, 1.1521369218826294, 9.947589874267578, 0],
    }  # fmt: skip
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = [tf.constant(x, tf.float32) for x in (t, m, v, beta, gamma)]
        for scaled, expected in recorded.items():
            y = tf.raw_ops.BatchNormWithGlobalNormalization(*inputs, 1e-3, scaled)
            values = session.run([y, *tf.gradients(y, inputs, tf.constant(dy, tf.float32))])
            np.testing.assert_allclose([x.ravel()[1] for x in values], expected, rtol=1e-5)
