"""Records a SavedModel of a subclass of Keras' Model, as TensorFlow 1.15.5 writes, reads and trains it again.

Run under TensorFlow; writes revived_keras.json.gz.
"""

import base64
import gzip
import json
import os
import tempfile

import numpy as np
import tensorflow as tf

tf.compat.v1.enable_eager_execution()
tf.random.set_random_seed(1)


class Scaled(tf.keras.Model):
    """A layer, what it gives normalized, and a penalty."""

    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1, kernel_regularizer="l2")
        self.normalized = tf.keras.layers.BatchNormalization()

    def call(self, inputs, training=False):
        return self.normalized(self.dense(inputs), training=training) * 2.0


x, y = np.arange(8, dtype="f").reshape(4, 2), np.ones((4, 1), "f")
model = Scaled()
model.compile("adam", "mse")
model.train_on_batch(x, y)
folder = tempfile.mkdtemp()
model.save(folder, save_format="tf")
files = {}
for path, _, names in os.walk(folder):
    for name in names:
        with open(os.path.join(path, name), "rb") as file:
            files[os.path.relpath(os.path.join(path, name), folder)] = base64.b64encode(file.read()).decode()
again = tf.keras.models.load_model(folder)
predicted = again.predict(x).ravel().tolist()
again.compile(tf.keras.optimizers.SGD(0.1), "mse")
again.fit(x, y, epochs=3, batch_size=4, shuffle=False, verbose=0)
found = {"files": files, "predicted": predicted, "after three steps": again.predict(x).ravel().tolist()}
target = os.path.join(os.path.dirname(os.path.abspath(__file__)), "revived_keras.json.gz")
with gzip.GzipFile(target, "wb", mtime=0) as file:
    file.write(json.dumps(found, sort_keys=True).encode())
