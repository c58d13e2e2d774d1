"""Record the programs of ``autograph_cases.py`` under TensorFlow 1.15.5: python record_autograph.py"""

import gzip
import json
import os

import autograph_cases
from record_effects import HERE, error_of, nodes_of, np, plain, tf

from layer_cases import outcome  # isort: skip

if __name__ == "__main__":
    record = {}
    for name, code in autograph_cases.CASES.items():
        tf.reset_default_graph()
        record[name] = outcome(tf, np, code, nodes_of, error_of, plain)
        if name in autograph_cases.VALUES:
            record[name].pop("nodes", None)
        print(name[:100], "->", record[name].get("error", ""))
    with gzip.GzipFile(os.path.join(HERE, "autograph.json.gz"), "wb", mtime=0) as f:
        f.write(json.dumps(record, sort_keys=True).encode())
