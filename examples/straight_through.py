"""A hidden layer of zeros and ones learns to read binarized digits.

h = 1 where p = sigmoid(x W + b) exceeds 1/2, else 0: a step, whose derivative is 0 or undefined. The
straight-through estimator (Hinton 2012; Bengio et al. 2013) gives it the derivative of p instead:
    h = p + stop_gradient(round(p) - p).

retrograd run examples/straight_through.py
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
ink = tf.to_float(x > 0.5)  # the digits in black and white
p = tf.sigmoid(tf.layers.dense(ink, 256))
bits = p + tf.stop_gradient(tf.round(p) - p)
logits = tf.layers.dense(bits, 10)
loss = tf.losses.sparse_softmax_cross_entropy(t, logits)
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), t), tf.float32))
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
dead = tf.gradients(tf.round(p), p)[0]

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("Without the estimator the gradient of the bits is", dead)
    for step in range(1, 4001):
        images, labels = digits.train.next_batch(100)
        _, cost = sess.run([train, loss], {x: images, t: labels})
        if step % 500 == 0:
            print(f"step {step:4d}  loss {cost:.4f}", flush=True)
    test = {x: digits.test.images, t: digits.test.labels}
    values = sorted(set(sess.run(bits, {x: digits.test.images[:100]}).round(6).ravel().tolist()))
    print("Values of the hidden layer:", values)
    print(f"Accuracy: {sess.run(accuracy, test):.4f}")
