"""Record what ``stored_weight_cases.py`` gives under TensorFlow 1.15.5: python record_stored_weights.py"""

import json
import os

import tensorflow as tf
from stored_weight_cases import outcomes
from tensorflow.python.keras.saving.hdf5_format import preprocess_weights_for_loading

if __name__ == "__main__":
    record = outcomes(tf, preprocess_weights_for_loading)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stored_weights.json")
    with open(path, "w") as file:
        file.write("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in record.items()) + "\n}\n")
