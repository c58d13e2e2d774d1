"""Record ``rewriting.json``: run with TensorFlow 1.15.5's Python."""

import json
from pathlib import Path

import rewriting_cases as cases
import tensorflow as tf
from tensorflow.python.data.experimental.ops.optimization import assert_next


def main():
    tf.logging.set_verbosity(tf.logging.ERROR)
    record = {label: cases.chain(tf, assert_next, case) for label, case in cases.rewritten(tf).items()}
    text = json.dumps(record, indent=0, sort_keys=True)
    (Path(__file__).resolve().parent / "rewriting.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
