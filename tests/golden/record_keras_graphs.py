"""Record ``keras_graphs.json.gz`` under TensorFlow 1.15.5: python record_keras_graphs.py"""

import gzip
import json
import os

import numpy as np
import tensorflow as tf

from keras_graph_cases import CASES, PRELUDE, nodes_of  # isort: skip

if __name__ == "__main__":
    record = {}
    for name, code in CASES.items():
        exec(PRELUDE + code, {"tf": tf, "np": np})
        record[name] = nodes_of(tf.get_default_graph())
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "keras_graphs.json.gz")
    with gzip.GzipFile(path, "wb", mtime=0) as f:
        f.write(json.dumps(record, sort_keys=True).encode())
