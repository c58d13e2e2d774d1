"""Binomial numbers from the stream of a variable, against TensorFlow 1.15.5 (``golden/binomials.json``)."""

import json
from pathlib import Path

import numpy as np
import pytest

from retrograd import tf

ROWS = json.loads((Path(__file__).parent / "golden" / "binomials.json").read_text())


@pytest.mark.parametrize(("counts", "probs", "shape", "numbers", "counter"), ROWS)
def test_numbers_and_the_place_behind_them(counts, probs, shape, numbers, counter):
    with tf.Graph().as_default(), tf.Session() as sess:
        generator = tf.random.experimental.Generator.from_state([0, 0, 1], 1)
        drawn = generator.binomial(shape, np.array(counts), np.array(probs), tf.int64)
        sess.run(tf.global_variables_initializer())
        assert sess.run(drawn).ravel().tolist() == numbers
        assert sess.run(generator.state).tolist() == [counter, 0, 1]


def test_every_draw_moves_on():
    """TensorFlow loses the first move of a variable whose memory it shares with a constant, and repeats itself."""
    with tf.Graph().as_default(), tf.Session() as sess:
        generator = tf.random.experimental.Generator.from_seed(1)
        drawn = generator.binomial([20], [100.0], [0.5])
        sess.run(tf.global_variables_initializer())
        assert sess.run(drawn).tolist() != sess.run(drawn).tolist()


def test_the_moments_are_those_of_the_distribution():
    with tf.Graph().as_default(), tf.Session() as sess:
        generator = tf.random.experimental.Generator.from_seed(3)
        for n, p in ((7.0, 0.4), (60.0, 0.7), (400.0, 0.5)):
            drawn = generator.binomial([20_000], [n], [p], tf.float64)
            sess.run(generator.state.initializer)
            values = sess.run(drawn)
            assert abs(values.mean() - n * p) < 5 * np.sqrt(n * p * (1 - p) / values.size)
            assert abs(values.var() / (n * p * (1 - p)) - 1) < 0.06


def test_edges():
    with tf.Graph().as_default(), tf.Session() as sess:
        generator = tf.random.experimental.Generator.from_seed(1)
        found = [
            generator.binomial([2], [n], [p], tf.float64)
            for n, p in ((9.0, 0.0), (9.0, 1.0), (0.0, 0.5), (-2.0, 0.5), (9.0, 1.5), (9.0, -0.5), (9.0, np.nan))
        ]
        sess.run(generator.state.initializer)
        assert [v[0] for v in sess.run(found)][:6] == [0, 9, 0, 0, 9, 0]
        assert np.isnan(sess.run(found[-1])).all()
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"^Input counts should have length 1 or shape\[0\], got"
        ):
            sess.run(generator.binomial([4, 2], [5.0, 6.0], [0.5]))
