"""Softmax regression with its gradient written by hand, checked against ``tf.gradients`` while it learns.

With p = softmax(x W + b) and the mean cross entropy of n images with one-hot labels t:
    dL/d(x W + b) = (p - t) / n,    dL/dW = x^T (p - t) / n,    dL/db = sum (p - t) / n.

retrograd run examples/manual_gradients.py
"""

import argparse

import numpy as np
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=1)
seed = parser.parse_args().seed
np.random.seed(seed)
digits = input_data.read_data_sets("/tmp/data/", one_hot=True, seed=seed)

x = tf.placeholder(tf.float32, [None, 784])
t = tf.placeholder(tf.float32, [None, 10])
w = tf.Variable(tf.zeros([784, 10]))
b = tf.Variable(tf.zeros([10]))
p = tf.nn.softmax(tf.matmul(x, w) + b)
loss = tf.reduce_mean(-tf.reduce_sum(t * tf.log(p), axis=1))

n = tf.cast(tf.shape(x)[0], tf.float32)
by_hand = [tf.matmul(x, p - t, transpose_a=True) / n, tf.reduce_sum(p - t, axis=0) / n]
by_graph = tf.gradients(loss, [w, b])
apart = tf.reduce_max([tf.reduce_max(tf.abs(mine - theirs)) for mine, theirs in zip(by_hand, by_graph)])

with tf.control_dependencies(by_hand + by_graph):  # all gradients before any step
    descend = [v.assign_sub(0.5 * g) for v, g in zip([w, b], by_hand)]
right = tf.equal(tf.argmax(p, 1), tf.argmax(t, 1))
accuracy = tf.reduce_mean(tf.cast(right, tf.float32))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    furthest = 0.0
    for step in range(1, 2001):
        images, labels = digits.train.next_batch(100)
        feeds = {x: images, t: labels}
        if step % 200 == 0:
            difference, cost = sess.run([apart, loss], feeds)
            furthest = max(furthest, difference)
            print(f"step {step:4d}  loss {cost:.4f}  by hand and tf.gradients differ by {difference:.1e}")
        sess.run(descend, feeds)
    reached = sess.run(accuracy, {x: digits.test.images, t: digits.test.labels})
print(f"Accuracy: {reached:.4f}; gradients differed by {furthest:.1e} at most")
