"""Small matrices that share a buffer: one call copies those that are factors of products."""

import numpy as np
import pytest

from retrograd import tf
from retrograd.ops.apart import copied
from retrograd.ops.jax_start import jax
from retrograd.run import homes, xla


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.complex64])
def test_copies_are_parts_of_the_vector(dtype):
    xla.start()
    vector = np.arange(60).astype(dtype)
    parts = [(0, (2, 3)), (50, ()), (7, (5, 1, 4)), (60, (0, 2)), (55, (5,))]
    found = jax.jit(lambda v: copied(v, parts))(vector)
    for (begin, dims), part in zip(parts, found, strict=True):
        assert part.dtype == dtype
        np.testing.assert_array_equal(part, vector[begin : begin + int(np.prod(dims))].reshape(dims))


def small_networks(tf):
    """Three networks, of which one learns from another and the last lags behind; what they say, after some steps."""
    rng = np.random.RandomState(0)
    x = tf.placeholder(tf.float32, [None, 6])

    def network(name):
        h = x
        with tf.variable_scope(name):
            for k, (rows, columns) in enumerate(((6, 16), (16, 16), (16, 2))):
                start = rng.randn(rows, columns).astype(np.float32) / 4
                h = tf.matmul(tf.tanh(h), tf.get_variable(f"w{k}", initializer=start), name="product")
        return h, tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, name + "/")

    (taught, own), (teacher, _), (late, behind) = map(network, ("taught", "teacher", "late"))
    loss = tf.reduce_mean(tf.square(taught - teacher))
    with tf.control_dependencies([tf.train.AdamOptimizer(0.01).minimize(loss, var_list=own)]):
        step = tf.group(*[tf.assign(b, 0.9 * b + 0.1 * v.read_value()) for b, v in zip(behind, own, strict=True)])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        fed = {x: rng.randn(8, 6)}
        losses = [sess.run([loss, step], fed)[0] for _ in range(6)]
        return [losses, *sess.run([taught, late, *own], fed)]


def test_both_tiers_agree_on_small_networks(monkeypatch):
    asked = []
    monkeypatch.setattr(homes, "copied", lambda buffer, parts: asked.append(parts) or copied(buffer, parts))
    results = {}
    for tier in ("never", "always"):
        monkeypatch.setenv("RETROGRAD_JIT", tier)
        with tf.Graph().as_default():
            results[tier] = small_networks(tf)
    assert sorted(len(parts) for parts in asked)[-1] >= 5
    for got, want in zip(results["always"], results["never"], strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-6)
    assert results["always"][0][-1] < results["always"][0][0]
