"""Record what calls of ``tf.compat.v2`` build and give: run under TensorFlow 1.15.5, writes second.json."""

import json
import os

import tensorflow as tf
from second_cases import CASES, recorded

if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "second.json"), "w") as f:
        json.dump({call: recorded(tf, call) for call in CASES}, f, indent=0)
