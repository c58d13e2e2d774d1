"""Records a SavedModel of objects that TensorFlow 1.15.5 writes: run under TensorFlow, writes saved_objects.json."""

import base64
import json
import os
import tempfile

import tensorflow as tf

tf.enable_eager_execution()


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.v = tf.Variable(3.0, name="v")
        self.parts = [tf.Variable(1.0), tf.Variable([2.0, 4.0])]
        self.by_name = {"a": tf.Variable(5, trainable=False)}
        self.kept = tf.constant([1.0, 2.0])

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def scaled(self, x):
        return {"y": x * self.v, "z": x + self.parts[0]}

    @tf.function
    def chosen(self, x, adds=False):
        return x + self.v if adds else x + self.kept

    @tf.function
    def count(self):
        self.v.assign_add(1.0)


model = Model()
model.chosen(tf.constant(1.0)), model.chosen(tf.constant(1.0), True), model.count()
folder = tempfile.mkdtemp()
tf.saved_model.save(model, folder)
files = {}
for path, _, names in os.walk(folder):
    for name in names:
        with open(os.path.join(path, name), "rb") as file:
            files[os.path.relpath(os.path.join(path, name), folder)] = base64.b64encode(file.read()).decode()
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "saved_objects.json"), "w") as file:
    json.dump(files, file, indent=1, sort_keys=True)
