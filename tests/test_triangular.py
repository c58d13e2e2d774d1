"""Triangular equations of sizes that are solved row by row and block by block, in both tiers."""

import numpy as np
import pytest

from retrograd import tf

KINDS = [np.float32, np.float64, np.complex64]


@pytest.mark.parametrize("tier", ["never", "always"])
@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize(("size", "batch"), [(1, ()), (32, (2,)), (33, (2, 3)), (48, (0,)), (100, ())])
def test_solutions_solve(tier, dtype, size, batch, monkeypatch):
    monkeypatch.setenv("RETROGRAD_JIT", tier)
    rng = np.random.RandomState(size)
    slope = 1 + 1j if np.dtype(dtype).kind == "c" else 1
    a = (rng.randn(*batch, size, size) * slope + size * np.eye(size)).astype(dtype)
    b = rng.randn(*batch, size, 3).astype(dtype)
    ways = [(lower, adjoint) for lower in (True, False) for adjoint in (True, False)]
    with tf.Graph().as_default(), tf.Session() as sess:
        given = tf.placeholder(dtype, a.shape)
        found = sess.run([tf.matrix_triangular_solve(given, b, lower=lo, adjoint=ad) for lo, ad in ways], {given: a})
    for x, (lower, adjoint) in zip(found, ways, strict=True):
        triangle = np.tril(a) if lower else np.triu(a)
        matrix = np.conj(np.swapaxes(triangle, -1, -2)) if adjoint else triangle
        assert x.dtype == dtype
        np.testing.assert_allclose(matrix @ x, b, atol=1e-11 if dtype == np.float64 else 2e-5)


@pytest.mark.parametrize("tier", ["never", "always"])
def test_a_zero_on_the_diagonal_is_an_error(tier, monkeypatch):
    monkeypatch.setenv("RETROGRAD_JIT", tier)
    a = np.eye(40, dtype=np.float32)
    a[35, 35] = 0
    with tf.Graph().as_default(), tf.Session() as sess:
        given = tf.placeholder(tf.float32, a.shape)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Input matrix is not invertible"):
            sess.run(tf.matrix_triangular_solve(given, np.ones((40, 1), np.float32)), {given: a})
