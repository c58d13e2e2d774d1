"""Records the nodes, values and errors of ``gradient_cases.py`` under whatever ``import tensorflow`` means.

    python record_gradients.py OUT.json.gz

``gradients.json.gz`` beside this file was recorded so under TensorFlow 1.15.5 (Python 3.7, NumPy 1.18).
"""

import gzip
import json
import sys

from gradient_cases import CASES
from record_linear import outcome


def found(build):
    """Nodes and values, or the class and first line of the error."""
    try:
        return outcome(build)
    except Exception as error:  # whatever it is, it is the fact to record
        return {"error": [type(error).__name__, getattr(error, "message", str(error)).split("\n")[0]]}


def write(record, path):
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as file:
        file.write(json.dumps(record, indent=0).encode())


if __name__ == "__main__":
    write({name: found(build) for name, build in CASES.items()}, sys.argv[1])
