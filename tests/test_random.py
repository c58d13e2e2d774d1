"""Random streams as a session's state: what each run draws, and what failures and threads leave."""

import threading

import numpy as np
import pytest

from retrograd import tf
from retrograd.graph import errors
from retrograd.ops import draws, philox, special_values
from retrograd.ops.random import RANDOM_UNIFORM, RANDOM_UNIFORM_INT
from retrograd.ops.streams import Stream
from retrograd.ops.variates import RANDOM_GAMMA_GRAD


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def runs(sess, t, n=3):
    return [sess.run(t).tolist() for _ in range(n)]


def test_every_session_begins_the_stream_anew():
    x = tf.random_uniform([3], seed=1)
    with tf.Session() as one, tf.Session() as other:
        first = runs(one, x)
        assert first == runs(other, x)
        assert len({tuple(v) for v in first}) == 3


def test_each_op_has_a_stream_of_its_own():
    x, y = tf.random_uniform([3], seed=1), tf.random_uniform([3], seed=1)
    with tf.Session() as sess:
        sess.run([x, x])
        assert sess.run(y).tolist() == runs(tf.Session(), x, 1)[0]


def test_without_seeds_sessions_differ():
    x = tf.random_uniform([3])
    assert runs(tf.Session(), x) != runs(tf.Session(), x)


def test_graph_seed_fixes_all():
    draws = []
    for _ in range(2):
        with tf.Graph().as_default():
            tf.set_random_seed(3)
            x, y = tf.random_normal([2]), tf.random_normal([2])
            draws.append(np.ravel(tf.Session().run([x, y])).tolist())
    assert draws[0] == draws[1]
    assert draws[0][:2] != draws[0][2:]


@pytest.mark.parametrize("kind", [np.uint32, np.int8, np.uint64, np.array])
def test_a_seed_may_be_a_number_of_numpy(kind):
    draws = []
    for number in (int, kind):
        with tf.Graph().as_default():
            tf.set_random_seed(number(5))
            x, y = tf.random_uniform([2]), tf.random_uniform([2], seed=number(4))
            draws.append([runs(tf.Session(), t) for t in (x, y)])
    assert draws[0] == draws[1]


def test_one_op_draws_once_in_a_run():
    x = tf.random_uniform([])
    with tf.Session() as sess:
        a, b = sess.run([x + 0.0, x * 1.0])
    assert a == b


def test_a_failed_run_draws_nothing():
    ok = tf.placeholder_with_default(True, [])
    x = tf.random_uniform([2], seed=1)
    with tf.control_dependencies([x, tf.Assert(ok, ["no"])]):
        y = tf.identity(x)
    with tf.Session() as sess:
        want = runs(tf.Session(), y, 2)
        with pytest.raises(errors.InvalidArgumentError, match=r"assertion failed: \[no\]"):
            sess.run(y, {ok: False})
        assert runs(sess, y, 2) == want


def test_a_stream_goes_on_however_its_op_is_fetched():
    """Plans of one session, general and specialised, read on from the same place."""
    n = tf.placeholder(tf.int32, [None])
    x = tf.random_uniform(tf.shape(n), seed=1)
    y = x * 2.0
    with tf.Session() as sess:
        got = [sess.run(t, {n: [0, 0]}) / s for t, s in [(x, 1), (y, 2)] * 4]
    want = [tf.Session().run(tf.random_uniform([2], seed=1))]
    key, counter = philox.seeded_stream(*philox.get_seed(None, 1, 0))
    for _ in range(7):
        counter = philox.advance(np, counter, draws.blocks_per_fill(2))
        want.append(draws.uniform(np, key, counter, (2,), np.float32))
    np.testing.assert_array_equal(got, want)


def test_threads_never_draw_the_same():
    x = tf.random_uniform([], maxval=2**62, dtype=tf.int64, seed=1)
    drawn = []
    with tf.Session() as sess:
        threads = [threading.Thread(target=lambda: drawn.extend(sess.run(x) for _ in range(50))) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    assert len(set(drawn)) == len(drawn) == 200


def test_shape_fed_at_run_time():
    n = tf.placeholder(tf.int32, [])
    x = tf.random_normal([n, 2], seed=1)
    assert x.shape.as_list() == [None, 2]
    with tf.Session() as sess:
        assert sess.run(x, {n: 3}).shape == (3, 2)


@pytest.mark.parametrize("dtype", [tf.float16, tf.float32, tf.float64])
def test_tiers_draw_the_same(dtype):
    import jax
    import jax.numpy as jnp

    shape, attrs = np.array([5], np.int32), {"dtype": dtype}
    mine, theirs = Stream.of(1, 2), Stream.of(1, 2)

    def step(key, counter):
        stream = Stream(key, counter)
        return RANDOM_UNIFORM.kernel(jnp, stream, shape, **attrs), stream.value

    with jax.enable_x64(True):
        for _ in range(2):
            drawn, theirs.value = jax.jit(step)(theirs.key, theirs.value)
            np.testing.assert_array_equal(RANDOM_UNIFORM.kernel(np, mine, shape, **attrs), np.asarray(drawn))
            np.testing.assert_array_equal(mine.value, np.asarray(theirs.value))
        args = shape, np.int32(-3), np.int32(8)
        drawn = RANDOM_UNIFORM_INT.kernel(jnp, Stream.of(1, 2), *args, Tout=tf.int32)
        np.testing.assert_array_equal(
            RANDOM_UNIFORM_INT.kernel(np, Stream.of(1, 2), *args, Tout=tf.int32), np.asarray(drawn)
        )


@pytest.mark.parametrize("alpha", [0.05, 0.5, 1.0, 3.0, 40.0])
def test_gamma_slope_moves_samples_along_their_quantile(alpha):
    """P(a + h, x + h dx/da) = P(a, x)"""
    x, h = np.random.RandomState(0).gamma(alpha, size=20), 1e-5 * alpha
    slope = RANDOM_GAMMA_GRAD.kernel(np, np.float64(alpha), x)
    a = np.full_like(x, alpha)
    moved = special_values.igamma(a + h, x + h * slope) - special_values.igamma(a - h, x - h * slope)
    still = special_values.igamma(a + h, x) - special_values.igamma(a - h, x)
    assert np.all(np.abs(moved) <= 1e-5 * np.abs(still) + 1e-13)


def test_gradients_reach_the_parameters():
    mean, stddev, alpha = tf.constant(1.0), tf.constant(2.0), tf.constant([1.0, 2.0])
    x = tf.random_normal([4], mean, stddev, seed=1)
    dmean, dstddev = tf.gradients(x, [mean, stddev])
    g = tf.random_gamma([3], alpha, seed=1)
    with tf.Session() as sess:
        draws, by_mean, by_stddev = sess.run([x, dmean, dstddev])
        assert by_mean == 4.0
        assert by_stddev == pytest.approx(((draws - 1.0) / 2.0).sum(), rel=1e-5)
        assert sess.run(tf.gradients(g, alpha)[0]).shape == (2,)
