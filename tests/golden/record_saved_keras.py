"""Records a SavedModel of Keras that TensorFlow 1.15.5 writes: run under TensorFlow, writes saved_keras.json.gz."""

import base64
import gzip
import json
import os
import tempfile

import numpy as np
import tensorflow as tf

tf.random.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.layers.Dense(2, activation="relu", input_shape=(2,)), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
x, y = np.arange(8, dtype="f").reshape(4, 2), np.ones((4, 1), "f")
model.train_on_batch(x, y)
folder = tempfile.mkdtemp()
model.save(folder, save_format="tf")
predicted = model.predict(x).ravel().tolist()
model.train_on_batch(x, y)
files = {}
for path, _, names in os.walk(folder):
    for name in names:
        with open(os.path.join(path, name), "rb") as file:
            files[os.path.relpath(os.path.join(path, name), folder)] = base64.b64encode(file.read()).decode()
found = {"files": files, "predicted": predicted, "after a step": model.predict(x).ravel().tolist()}
target = os.path.join(os.path.dirname(os.path.abspath(__file__)), "saved_keras.json.gz")
with gzip.GzipFile(target, "wb", mtime=0) as file:
    file.write(json.dumps(found, sort_keys=True).encode())
