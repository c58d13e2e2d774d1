"""Record ``sparse.json.gz`` under TensorFlow 1.15.5: python record_sparse.py"""

import gzip
import json
import os

import numpy as np
import tensorflow as tf
from record_arrays import HERE, error_of, nodes_of, plain
from sparse_cases import CASES, outcome

if __name__ == "__main__":
    record = {name: outcome(tf, np, code, plain, nodes_of, error_of) for name, code in CASES.items()}
    with gzip.GzipFile(os.path.join(HERE, "sparse.json.gz"), "wb", mtime=0) as f:
        f.write(json.dumps(record, sort_keys=True).encode())
    for name, found in record.items():
        if ("error" in found) != name.startswith("error"):
            print(name, "->", found.get("error"))
