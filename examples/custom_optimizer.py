"""An optimizer of one's own, by TensorFlow's recipe: subclass ``Optimizer``, make slots, write one update.

Sign descent with momentum (Lion, Chen et al. 2023):
    step = sign(0.9 m + 0.1 g),    m <- 0.99 m + 0.01 g,    w <- w - rate * step.

retrograd run examples/custom_optimizer.py
"""

import argparse

import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data


class SignDescent(tf.train.Optimizer):
    def __init__(self, rate, name="SignDescent"):
        super().__init__(use_locking=False, name=name)
        self.rate = rate

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "momentum", self._name)

    def _apply_dense(self, grad, var):
        m = self.get_slot(var, "momentum")
        step = tf.sign(0.9 * m + 0.1 * grad)
        with tf.control_dependencies([step]):  # which reads m before it changes
            remember = m.assign(0.99 * m + 0.01 * grad)
        return tf.group(var.assign_sub(self.rate * step), remember)


parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=1)
seed = parser.parse_args().seed
tf.set_random_seed(seed)
digits = input_data.read_data_sets("/tmp/data/", seed=seed)

x = tf.placeholder(tf.float32, [None, 784])
t = tf.placeholder(tf.int64, [None])
logits = tf.layers.dense(tf.layers.dense(x, 128, tf.nn.relu), 10)
loss = tf.losses.sparse_softmax_cross_entropy(t, logits)
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), t), tf.float32))
train = SignDescent(3e-4).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(1, 3001):
        images, labels = digits.train.next_batch(100)
        _, cost = sess.run([train, loss], {x: images, t: labels})
        if step % 500 == 0:
            print(f"step {step:4d}  loss {cost:.4f}")
    print(f"Accuracy: {sess.run(accuracy, {x: digits.test.images, t: digits.test.labels}):.4f}")
