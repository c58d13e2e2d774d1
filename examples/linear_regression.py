"""A line through noisy points: y = w x + b by gradient descent, beside the least-squares solution.

retrograd run examples/linear_regression.py
"""

import argparse

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=1)
random = np.random.RandomState(parser.parse_args().seed)

xs = random.uniform(-1.0, 1.0, 200).astype("f")
ys = (3.0 * xs - 1.0 + random.normal(0.0, 0.1, 200)).astype("f")

x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
w, b = tf.Variable(0.0), tf.Variable(0.0)
loss = tf.reduce_mean(tf.square(w * x + b - y))
step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(1, 101):
        _, error = sess.run([step, loss], {x: xs, y: ys})
        if i % 20 == 0:
            print(f"step {i:3d}  loss {error:.6f}")
    found = np.array(sess.run([w, b]))

best = np.linalg.lstsq(np.stack([xs, np.ones_like(xs)], 1), ys, rcond=None)[0]
print(f"Learned w = {found[0]:.4f}, b = {found[1]:.4f}; least squares {best[0]:.4f}, {best[1]:.4f}")
print(f"Largest difference: {np.abs(found - best).max():.1e}")
