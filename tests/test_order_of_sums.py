"""Sums of a few numbers have the bits of TensorFlow 1.15.5: CRC-32 of what it answered."""

import zlib

import numpy as np
import pytest

from retrograd import tf

RECORDED = {
    (3,): ("2ba3c1e8", "6d9eb3c9"), (2, 3): ("a0ab0d5d", "845ad8a7"), (1, 2, 3): ("4f3c24c5", "e79cb146"),
    (0, 1, 2, 3): ("1ef4cae6", "39f1fe78"), (1, 3): ("0979bdb0", "7e424ad8"), (0, 2): ("69adbd2b", "5c56af26"),
}  # fmt: skip


@pytest.mark.parametrize("axes", RECORDED, ids=str)
def test_bits_of_sums(axes: tuple[int, ...]) -> None:
    x, y = np.random.RandomState(3).randn(2, 3, 4, 5, 13) * 3
    with tf.Graph().as_default(), tf.Session() as session:
        sums = session.run([tf.reduce_sum(x.astype("f4"), axes), tf.reduce_sum(y, axes)])
    assert tuple(format(zlib.crc32(np.ascontiguousarray(z).tobytes()), "08x") for z in sums) == RECORDED[axes]


def test_axes_that_are_kept() -> None:
    x = np.random.RandomState(3).randn(3, 4, 5, 13).astype("f4")
    with tf.Graph().as_default(), tf.Session() as session:
        y = session.run(tf.reduce_sum(x, [1, 3], keepdims=True))
    assert y.shape == (3, 1, 5, 1)
    np.testing.assert_allclose(y, x.sum((1, 3), keepdims=True), 1e-5)


def test_rows_of_segments_are_added_in_their_order() -> None:
    random = np.random.RandomState(0)
    for rows, segments in ((200, 60), (100, 3), (7, 7), (1, 5)):
        ids, x = np.sort(random.randint(0, segments, rows)), random.randn(rows, 3).astype("f4") * 100
        expected = np.zeros((ids[-1] + 1, 3), "f4")
        for i, row in zip(ids, x, strict=True):
            expected[i] += row
        with tf.Graph().as_default(), tf.Session() as session:
            y, most = session.run([tf.segment_sum(x, ids), tf.segment_max(x, ids)])
        np.testing.assert_array_equal(y, expected)
        np.testing.assert_array_equal(most[ids[-1]], x[ids == ids[-1]].max(0))
