"""Record ``cell_wrappers.json.gz`` under TensorFlow 1.15.5: python record_cell_wrappers.py"""

import gzip
import json
import os

from cell_wrapper_cases import outcome
from record_effects import HERE, tf

if __name__ == "__main__":
    with gzip.GzipFile(os.path.join(HERE, "cell_wrappers.json.gz"), "wb", mtime=0) as f:
        f.write(json.dumps(outcome(tf), sort_keys=True).encode())
