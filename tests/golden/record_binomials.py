"""Record ``binomials.json`` under TensorFlow 1.15.5: python record_binomials.py

Each row: counts, probabilities, shape, the numbers that the state (0, 0, 1) begins with, and the counter behind them.
TensorFlow loses the first move of a variable that shares its memory with a constant; so each row draws twice.
"""

import json
import os

import numpy as np
import tensorflow as tf

CASES = [
    ([10.0], [0.3], [50]),
    ([100.0], [0.8], [50]),
    ([5.0, 50.0, 500.0], [0.9, 0.3, 0.02], [3, 20]),
    ([9.0, 8.0], [0.5], [2, 3]),
]


def row(counts, probs, shape):
    with tf.Graph().as_default(), tf.Session() as sess:
        state = tf.Variable(np.array([0, 0, 1], np.int64), use_resource=True)
        sess.run(state.initializer)
        drawn = tf.raw_ops.StatefulRandomBinomial(
            resource=state.handle, algorithm=np.int64(1), shape=shape, counts=np.array(counts), probs=np.array(probs)
        )
        sess.run(drawn)
        return [counts, probs, shape, sess.run(drawn).ravel().tolist(), int(sess.run(state)[0])]


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "binomials.json"), "w") as f:
        json.dump([row(*case) for case in CASES], f)
