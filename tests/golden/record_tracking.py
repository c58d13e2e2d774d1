"""A checkpoint of objects that TensorFlow 1.15.5 writes.

    CUDA_VISIBLE_DEVICES= python -W ignore tests/golden/record_tracking.py
"""

import json
import os

import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))


def objects():
    """A checkpoint of a layer, an optimizer, a list, a dict and a step; an op that trains."""
    net = tf.keras.layers.Dense(2, kernel_initializer="ones", name="net")
    parts = [tf.Variable([1.0, 2.0], name="one"), tf.Variable(3.0, name="two")]
    optimizer = tf.train.AdamOptimizer(0.1)
    step = tf.train.get_or_create_global_step()
    loss = tf.reduce_sum(net(tf.ones([1, 3]))) + tf.reduce_sum(parts[0]) * parts[1]
    train = optimizer.minimize(loss, global_step=step)
    inner = tf.train.Checkpoint()
    inner.parts = parts
    inner.more = {"a.b/c": tf.Variable(5.0, name="other")}
    return tf.train.Checkpoint(net=net, inner=inner, opt=optimizer, step=step), train


def main():
    tf.logging.set_verbosity(tf.logging.ERROR)
    folder = os.path.join(HERE, "tracking")
    with tf.Session() as sess:
        checkpoint, train = objects()
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        path = checkpoint.save(os.path.join(folder, "model"))
    values = {}
    for name, _ in tf.train.list_variables(path):
        if not name.startswith("_"):
            values[name] = tf.train.load_variable(path, name).tolist()
    with open(os.path.join(HERE, "tracking.json"), "w") as file:
        json.dump(values, file, indent=1, sort_keys=True)
        file.write("\n")
    os.remove(os.path.join(folder, "checkpoint"))


if __name__ == "__main__":
    main()
