"""Record ``functions.json``: run with TensorFlow 1.15.5's Python."""

import json
from pathlib import Path

import tensorflow as tf
from function_cases import CASES, ERRORS, built_and_run, error
from tensorflow.python.framework.function import Defun

HERE = Path(__file__).parent


def main():
    tf.logging.set_verbosity(tf.logging.ERROR)
    record = {
        "cases": {case.__name__: built_and_run(tf, Defun, case) for case in CASES},
        "errors": {case.__name__: error(tf, Defun, case) for case in ERRORS},
    }
    (HERE / "functions.json").write_text(json.dumps(record, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
