"""Under which names a checkpoint of objects holds the variables of layers.

    CUDA_VISIBLE_DEVICES= python -W ignore tests/golden/layer_key_cases.py
"""

import json
import os
import tempfile

import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))


class OfTfLayers(tf.layers.Layer):
    def build(self, shape):
        self.inner = tf.layers.Dense(3)
        self.own = tf.Variable(1.0)
        self.rows = [tf.layers.Dense(2)]
        self.first = self.add_variable("first/kernel", [2])
        self.second = self.add_variable("second/kernel", [2])
        super().build(shape)

    def call(self, x):
        return self.rows[0](self.inner(x) * self.own + self.first[0])


class OfKeras(tf.keras.layers.Layer):
    def build(self, shape):
        self.inner = tf.keras.layers.Dense(3)
        self.own = tf.Variable(1.0)
        self.first = self.add_weight("first/kernel", [2])
        self.second = self.add_weight("second/kernel", [2])
        super().build(shape)

    def call(self, x):
        return self.inner(x) * self.own + self.first[0]


class Cell(tf.nn.rnn_cell.RNNCell):
    state_size = output_size = 3

    def __init__(self):
        super().__init__()
        self._inner = self._track_trackable(tf.nn.rnn_cell.GRUCell(3), name="inner")

    def call(self, x, state):
        y, state = self._inner(x, state)
        return y * tf.get_variable("w", [3]), state


def stepped(cell):
    cell(tf.ones([2, 3]), cell.zero_state(2, tf.float32))
    return cell


def called(layer):
    layer(tf.ones([2, 3]))
    return layer


def gru():
    return tf.nn.rnn_cell.GRUCell(3)


CASES = {
    "gru": lambda: stepped(gru()),
    "dropout": lambda: stepped(tf.nn.rnn_cell.DropoutWrapper(gru())),
    "residual": lambda: stepped(tf.nn.rnn_cell.ResidualWrapper(gru())),
    "device": lambda: stepped(tf.nn.rnn_cell.DeviceWrapper(gru(), "/cpu:0")),
    "stacked": lambda: stepped(tf.nn.rnn_cell.MultiRNNCell([gru(), tf.nn.rnn_cell.LSTMCell(3)])),
    "cell of a program": lambda: stepped(Cell()),
    "layer of tf.layers": lambda: called(OfTfLayers()),
    "layer of Keras": lambda: called(OfKeras()),
    "lambda": lambda: called(tf.keras.layers.Lambda(lambda x: x * tf.Variable(2.0, name="scale"))),
}


def names(case):
    """The names of what a checkpoint of ``case`` holds."""
    with tf.Graph().as_default(), tf.Session() as sess, tempfile.TemporaryDirectory() as folder:
        checkpoint = tf.train.Checkpoint(x=CASES[case]())
        sess.run(tf.global_variables_initializer())
        path = checkpoint.save(os.path.join(folder, "model"), session=sess)
        return [name for name, _ in tf.train.list_variables(path)]


def main():
    tf.logging.set_verbosity(tf.logging.ERROR)
    with open(os.path.join(HERE, "layer_keys.json"), "w") as file:
        json.dump({case: names(case) for case in CASES}, file, indent=1, sort_keys=True)
        file.write("\n")


if __name__ == "__main__":
    main()
