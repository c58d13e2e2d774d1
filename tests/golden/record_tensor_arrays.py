"""Record ``tensor_arrays.json.gz`` under TensorFlow 1.15.5: python record_tensor_arrays.py"""

import gzip
import json
import os
import warnings

warnings.simplefilter("ignore")
import numpy as np  # noqa: E402
from effect_cases import outcome  # noqa: E402
from record_effects import HERE, error_of, nodes_of, tf  # noqa: E402
from tensor_array_cases import CASES  # noqa: E402

if __name__ == "__main__":
    record = {name: outcome(tf, np, code, nodes_of, error_of) for name, code in CASES.items()}
    with gzip.GzipFile(os.path.join(HERE, "tensor_arrays.json.gz"), "wb", mtime=0) as f:
        f.write(json.dumps(record, sort_keys=True).encode())
    for name, found in record.items():
        print(name, "->", found.get("error") or [v[2] for v in found.get("values", [])[: len(found["values"]) // 2]])
