"""Record ``recurrent.json.gz`` under TensorFlow 1.15.5: python record_recurrent.py"""

import gzip
import json
import os

from record_effects import HERE, error_of, nodes_of, np, plain, tf

from layer_cases import outcome  # isort: skip
from recurrent_cases import CASES  # isort: skip



def error_itself(error):
    """Class and message, without the trace that TensorFlow writes before it inside of a cell's ``call``."""
    kind, message = error_of(error)
    return [kind, message.split("    %s: " % kind)[-1].strip() if message.startswith("in converted code") else message]


if __name__ == "__main__":
    record = {}
    for name, code in CASES.items():
        tf.reset_default_graph()
        record[name] = outcome(tf, np, code, nodes_of, error_itself, plain)
        print(name[:100], "->", record[name].get("error", ""))
    with gzip.GzipFile(os.path.join(HERE, "recurrent.json.gz"), "wb", mtime=0) as f:
        f.write(json.dumps(record, sort_keys=True).encode())
