"""Record ``custom_gradients.json``: run with TensorFlow 1.15.5's Python."""

import json
from pathlib import Path

import tensorflow as tf
from custom_gradient_cases import CASES, ERRORS, built_and_run, gradient_number, message

HERE = Path(__file__).parent


def main():
    tf.logging.set_verbosity(tf.logging.ERROR)
    cases = {}
    for case in CASES:
        built, values = built_and_run(tf, case)
        cases[case.__name__] = {"nodes": built, "values": values}
    errors = {case.__name__: message(tf, case) for case in ERRORS}
    record = {"cases": cases, "errors": errors, "gradient number": gradient_number(tf)}
    (HERE / "custom_gradients.json").write_text(json.dumps(record, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
