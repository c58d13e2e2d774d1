"""Record ``vocabularies.json`` under TensorFlow 1.15.5: python record_vocabularies.py"""

import json
import os
import sys
import tempfile

import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from vocabulary_cases import outcome  # noqa: E402

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        record = outcome(tf.contrib.learn.preprocessing, os.path.join(folder, "words"))
    with open(os.path.join(HERE, "vocabularies.json"), "w") as f:
        json.dump(record, f, sort_keys=True, indent=1)
        f.write("\n")
