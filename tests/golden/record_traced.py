"""Record ``traced.json``: run with TensorFlow 1.15.5's Python."""

import json
from pathlib import Path

import tensorflow as tf
from tensorflow.python.eager import context
from traced_cases import CASES, CONCRETE, ERRORS, built_and_run, message

HERE = Path(__file__).parent


def main():
    tf.logging.set_verbosity(tf.logging.ERROR)
    record = {
        "cases": {case.__name__: built_and_run(tf, case) for case in CASES},
        "errors": {case.__name__: message(tf, case) for case in ERRORS},
    }
    with context.eager_mode():
        record["concrete"] = {case.__name__: case(tf, tf.TensorSpec) for case in CONCRETE}
    (HERE / "traced.json").write_text(json.dumps(record, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
