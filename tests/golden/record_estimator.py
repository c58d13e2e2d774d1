"""Record ``estimator.json.gz`` under TensorFlow 1.15.5: python record_estimator.py"""

import gzip
import json
import os
import tempfile

from estimator_cases import outcome
from record_effects import HERE, nodes_of, np, tf

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        text = json.dumps(outcome(tf, np, folder, nodes_of), sort_keys=True)
    with gzip.GzipFile(os.path.join(HERE, "estimator.json.gz"), "wb", mtime=0) as f:
        f.write(text.encode())
