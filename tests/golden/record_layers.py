"""Record ``layers.json.gz`` under TensorFlow 1.15.5: python record_layers.py"""

import gzip
import json
import os

from record_effects import HERE, error_of, nodes_of, np, plain, tf

from layer_cases import CASES, outcome  # isort: skip

if __name__ == "__main__":
    record = {}
    for name, code in CASES.items():
        tf.reset_default_graph()
        record[name] = outcome(tf, np, code, nodes_of, error_of, plain)
        print(name[:100], "->", record[name].get("error", ""))
    with gzip.GzipFile(os.path.join(HERE, "layers.json.gz"), "wb", mtime=0) as f:
        f.write(json.dumps(record, sort_keys=True).encode())
