"""Record ``canned.json.gz`` under TensorFlow 1.15.5: python record_canned.py"""

import gzip
import json
import os
import tempfile

from canned_cases import outcome
from record_effects import HERE, tf

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        text = json.dumps(outcome(tf, folder), sort_keys=True)
    with gzip.GzipFile(os.path.join(HERE, "canned.json.gz"), "wb", mtime=0) as f:
        f.write(text.encode())
