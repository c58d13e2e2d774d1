"""Record what ``dividing_cases.py`` gives under TensorFlow 1.15.5: python record_dividing.py"""

import json
import os
import tempfile

import tensorflow as tf
from dividing_cases import outcomes
from tensorflow.python.data.experimental.ops import distribute, map_defun
from tensorflow.python.eager.function import defun

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        record = outcomes(tf, folder, distribute, map_defun, defun)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dividing.json")
    with open(path, "w") as file:
        file.write("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in record.items()) + "\n}\n")
