"""Record ``input.json.gz``: run with TensorFlow 1.15.5's Python."""

import gzip
import json
import tempfile
from pathlib import Path

import input_cases as cases
import tensorflow as tf

HERE = Path(__file__).resolve().parent


def main():
    tf.logging.set_verbosity(tf.logging.ERROR)
    with tempfile.TemporaryDirectory() as place:
        cases.make_files(tf, place)
        record = {
            "graphs": {build.__name__: cases.graph(tf, build) for build in cases.GRAPHS},
            "runs": {label: cases.outcome(tf, *case) for label, case in cases.runs(tf).items()},
            "values": {label: cases.value(tf, build) for label, build in cases.values(tf).items()},
        }
    text = json.dumps(record, separators=(",", ":")).encode()
    (HERE / "input.json.gz").write_bytes(gzip.compress(text, 9))


if __name__ == "__main__":
    main()
