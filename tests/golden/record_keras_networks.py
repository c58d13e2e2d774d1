"""Record ``keras_networks.json.gz`` under TensorFlow 1.15.5: python record_keras_networks.py"""

import gzip
import json
import os

import tensorflow as tf
from keras_applications.nasnet import NASNet

from keras_graph_cases import nodes_of  # isort: skip


def recorded(build):
    """The nodes of a network that trains, and its layers with the shapes of their outputs."""
    tf.keras.backend.clear_session()
    tf.keras.backend.set_learning_phase(1)
    model = build()
    layers = [[layer.name, type(layer).__name__, layer.count_params()] for layer in model.layers]
    return {"nodes": nodes_of(tf.get_default_graph()), "layers": layers, "name": model.name}


if __name__ == "__main__":
    K = tf.keras
    parts = {"backend": K.backend, "layers": K.layers, "models": K.models, "utils": K.utils}
    record = {
        "InceptionResNetV2": recorded(
            lambda: K.applications.InceptionResNetV2(weights=None, include_top=False, input_shape=(75, 75, 3))
        ),
        "NASNet": recorded(lambda: NASNet((32, 32, 3), 96, 1, 8, False, **parts)),
    }
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_networks.json.gz")
    with gzip.GzipFile(path, "wb", mtime=0) as f:
        f.write(json.dumps(record, sort_keys=True).encode())
