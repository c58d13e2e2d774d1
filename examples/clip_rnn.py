"""A recurrent network adds two marked numbers of a sequence, with gradients that explode unless clipped.

The state passes the same matrix 50 times. It starts as the identity (Le et al. 2015); a step that stretches it
makes the next gradient grow like its largest eigenvalue to the power of 50, and so the next step, until all is
lost. ``tf.clip_by_global_norm`` (Pascanu et al. 2013) keeps the direction and bounds the length.

retrograd run examples/clip_rnn.py
"""

import argparse

import numpy as np
import tensorflow as tf

LENGTH, WIDTH, BATCH, STEPS, RATE = 50, 64, 32, 4000, 0.02

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=1)
seed = parser.parse_args().seed


def train(clip):
    """The norm of the gradient at each step, and the mean squared error at the end."""
    tf.reset_default_graph()
    tf.set_random_seed(seed)
    random = np.random.RandomState(seed)
    x = tf.placeholder(tf.float32, [None, LENGTH, 2])  # numbers, and marks at two of them
    total = tf.placeholder(tf.float32, [None])
    start = np.concatenate([0.05 * random.normal(size=(2, WIDTH)), np.eye(WIDTH)])
    with tf.variable_scope("memory", initializer=tf.constant_initializer(start)):
        cell = tf.nn.rnn_cell.BasicRNNCell(WIDTH, activation=tf.nn.relu)
        _, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    answer = tf.layers.dense(state, 1)[:, 0]
    loss = tf.reduce_mean(tf.square(answer - total))
    optimizer = tf.train.GradientDescentOptimizer(RATE)
    gradients, variables = zip(*optimizer.compute_gradients(loss))
    norm = tf.global_norm(gradients)
    if clip is not None:
        gradients, _ = tf.clip_by_global_norm(gradients, clip, use_norm=norm)
    step = optimizer.apply_gradients(zip(gradients, variables))

    def batch(n):
        marks = np.zeros((n, LENGTH))
        marks[np.arange(n), random.randint(LENGTH // 2, size=n)] = 1
        marks[np.arange(n), random.randint(LENGTH // 2, LENGTH, size=n)] = 1
        numbers = random.uniform(size=(n, LENGTH))
        return {x: np.stack([numbers, marks], axis=2), total: np.sum(numbers * marks, axis=1)}

    norms = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(1, STEPS + 1):
            _, length, cost = sess.run([step, norm, loss], batch(BATCH))
            norms.append(length)
            if i % 500 == 0 or not np.isfinite(cost):
                print(f"  step {i:4d}  loss {cost:.4g}  largest norm so far {np.nanmax(norms):.3g}", flush=True)
            if not np.isfinite(cost):
                break
        return np.array(norms), sess.run(loss, batch(1000))


results = {}
for clip in (None, 1.0):
    print("Gradients as they come:" if clip is None else f"Gradients clipped to a global norm of {clip}:")
    results[clip] = train(clip)
print("Guessing 1 for every sum has an error of 0.167.")
for clip, (norms, error) in results.items():
    largest = norms[np.isfinite(norms)].max()
    print(f"clip {clip}: {len(norms)} steps, largest norm {largest:.3g}, mean squared error {error:.4g}")
