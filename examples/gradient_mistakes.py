"""A reader of digits that runs without an error and learns next to nothing, for four reasons.

retrograd explain --steps 50 --page gradients.html examples/gradient_mistakes.py
"""

import argparse

import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=1)
seed = parser.parse_args().seed
tf.set_random_seed(seed)
digits = input_data.read_data_sets("/tmp/data/", seed=seed)

x = tf.placeholder(tf.float32, [None, 784])
t = tf.placeholder(tf.int64, [None])
mask = tf.get_variable("mask", [784], initializer=tf.ones_initializer())
h = x * tf.round(mask)
for _ in range(8):
    h = tf.layers.dense(h, 64, tf.sigmoid)
scale = tf.get_variable("scale", [], initializer=tf.ones_initializer())
p = tf.nn.softmax(tf.layers.dense(h, 10) * scale)
loss = tf.losses.sparse_softmax_cross_entropy(t, p)
trained = [v for v in tf.trainable_variables() if v is not scale]
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=trained)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(1, 1001):
        images, labels = digits.train.next_batch(100)
        _, cost = sess.run([train, loss], {x: images, t: labels})
        if step % 100 == 0:
            print(f"step {step:4d}  loss {cost:.4f}", flush=True)
