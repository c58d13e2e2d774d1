"""Softmax regression on MNIST without an optimizer: ``tf.gradients``, and the descent written by hand.

retrograd run examples/mnist_softmax_gradients.py
"""

import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

LEARNING_RATE = 0.01
EPOCHS = 10
BATCH = 100

digits = input_data.read_data_sets("/tmp/data/", one_hot=True)

image = tf.placeholder(tf.float32, [None, 784], name="image")
label = tf.placeholder(tf.float32, [None, 10], name="label")
weights = tf.Variable(tf.zeros([784, 10]), name="weights")
bias = tf.Variable(tf.zeros([10]), name="bias")

guess = tf.nn.softmax(tf.matmul(image, weights) + bias)
cost = tf.reduce_mean(-tf.reduce_sum(label * tf.log(guess), axis=1))
right = tf.equal(tf.argmax(guess, 1), tf.argmax(label, 1))
accuracy = tf.reduce_mean(tf.cast(right, tf.float32))

d_weights, d_bias = tf.gradients(cost, [weights, bias])
descend = [
    weights.assign(weights - LEARNING_RATE * d_weights),
    bias.assign(bias - LEARNING_RATE * d_bias),
]

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    batches = digits.train.num_examples // BATCH
    for epoch in range(1, EPOCHS + 1):
        total = 0.0
        for _ in range(batches):
            images, labels = digits.train.next_batch(BATCH)
            *_, batch_cost = sess.run([*descend, cost], feed_dict={image: images, label: labels})
            total += batch_cost
        print(f"Epoch: {epoch:04d} cost= {total / batches:.9f}")
    print("Optimization Finished!")
    print("Accuracy:", accuracy.eval({image: digits.test.images, label: digits.test.labels}))
