"""Record the programs of ``NAME_cases.py`` as ``NAME.json.gz`` under TensorFlow 1.15.5: python record_cases.py NAME"""

import gzip
import importlib
import json
import os
import sys

from record_effects import HERE, error_of, nodes_of, np, plain, tf

from layer_cases import outcome  # isort: skip

if __name__ == "__main__":
    module = importlib.import_module(sys.argv[1] + "_cases")
    record = {}
    for name, code in module.CASES.items():
        tf.reset_default_graph()
        nodes = nodes_of if getattr(module, "NODES", True) else lambda graph: []
        record[name] = outcome(tf, np, code, nodes, error_of, plain)
        print(name[:100], "->", record[name].get("error", ""))
    with gzip.GzipFile(os.path.join(HERE, sys.argv[1] + ".json.gz"), "wb", mtime=0) as f:
        f.write(json.dumps(record, sort_keys=True).encode())
