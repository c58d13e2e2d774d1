"""What TensorFlow 1.15.5 makes of GraphDefs, and small files of its own making, with what they compute.

    CUDA_VISIBLE_DEVICES= python -W ignore tests/golden/record_imports.py
"""

import json
import os
import shutil
import tempfile

import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from import_cases import CASES, imported
from tensorflow.python.framework import function

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = os.path.join(HERE, "graphs")


def loop(x):
    w = tf.get_variable("w", [], initializer=tf.constant_initializer(0.9))
    _, y = tf.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, tf.tanh(y * w) + x), [0, x])
    return [y, *tf.gradients(tf.reduce_sum(y), [w, x])], tf.train.GradientDescentOptimizer(0.1).minimize(y)


def nested(x):
    w = tf.get_variable("w", [], initializer=tf.constant_initializer(1.1))

    def body(i, a):
        inner = tf.while_loop(lambda j, b: j < i, lambda j, b: (j + 1, b * tf.cond(j > 0, lambda: w, lambda: 1.0)), [0, a])
        return i + 1, inner[1]

    _, y = tf.while_loop(lambda i, a: i < 3, body, [0, x])
    return [y, tf.gradients(y, w)[0]], tf.train.AdamOptimizer(0.1).minimize(y)


def branches(x):
    v = tf.get_variable("v", [3], initializer=tf.constant_initializer(2.0), use_resource=True)
    y = tf.cond(tf.reduce_sum(x) > 0, lambda: v * x, lambda: tf.constant([3.0, 3.0, 3.0]))

    @function.Defun(tf.float32, func_name="Squared")
    def square(a):
        return a * a

    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2)):
        p = tf.get_variable("w", [3], initializer=tf.ones_initializer())
    z = square(y) + p
    return [y, z, tf.gradients(z, x)[0]], tf.train.MomentumOptimizer(0.1, 0.9).minimize(z)


def rnn(x):
    cell = tf.nn.rnn_cell.GRUCell(2, kernel_initializer=tf.constant_initializer(0.3))
    out, _ = tf.nn.dynamic_rnn(cell, tf.reshape(x, [1, 3, 1]), dtype=tf.float32, sequence_length=[2])
    return [out], tf.train.GradientDescentOptimizer(0.5).minimize(out)


def recorded(build):
    """Write the graph and its checkpoint; what it computes before and after a step."""
    name = build.__name__
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        x = tf.placeholder(tf.float32, [3], name="x")
        fetches, train = build(x)
        saver = tf.train.Saver()
        sess.run(tf.global_variables_initializer())
        saver.save(sess, os.path.join(FILES, name), write_state=False)
        feeds = {x: [0.5, -0.25, 1.0]}
        before = sess.run(fetches, feeds)
        sess.run(train, feeds)
        values = [np.asarray(v).tolist() for v in before + sess.run(fetches, feeds)]
        with tf.Graph().as_default() as other:
            tf.import_graph_def(graph.as_graph_def(), name="")
            order = [op.name for op in other.get_operations()]
    return {"fetches": [t.name for t in fetches], "train": train.name, "values": values, "order": order}


def saved_model():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", initializer=[[1.0], [2.0]], use_resource=True)
        words = os.path.join(tempfile.mkdtemp(), "words.txt")
        with open(words, "w") as file:
            file.write("some words\n")
        asset = tf.constant(words, name="asset")
        local = tf.get_variable("l", initializer=5.0, collections=[tf.GraphKeys.LOCAL_VARIABLES])
        y = tf.matmul(x, w, name="y") + local
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        builder = tf.saved_model.builder.SavedModelBuilder(os.path.join(FILES, "saved_model"))
        signature = tf.saved_model.predict_signature_def({"x": x}, {"y": y})
        builder.add_meta_graph_and_variables(
            sess, ["serve"], {"serving_default": signature}, strip_default_attrs=True,
            assets_collection=[asset], main_op=tf.group(tf.local_variables_initializer()),
        )  # fmt: skip
        builder.save()
        frozen = tf.graph_util.convert_variables_to_constants(sess, sess.graph_def, [y.op.name], ["w"])
        return {
            "y": sess.run(y, {x: [[1.0, 1.0], [2.0, 0.0]]}).tolist(),
            "frozen": [[node.name, node.op, list(node.input)] for node in frozen.node],
        }


def main():
    tf.logging.set_verbosity(tf.logging.ERROR)
    shutil.rmtree(FILES, ignore_errors=True)
    os.makedirs(FILES)
    record = {
        "cases": {label: imported(tf, text_format, nodes, arguments) for label, nodes, arguments in CASES},
        "graphs": {build.__name__: recorded(build) for build in (loop, nested, branches, rnn)},
        "saved model": saved_model(),
    }
    with open(os.path.join(HERE, "imports.json"), "w") as file:
        json.dump(record, file, indent=1, sort_keys=True)
        file.write("\n")


if __name__ == "__main__":
    main()
