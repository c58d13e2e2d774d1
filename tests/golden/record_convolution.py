"""Records the nodes, values and errors of ``convolution_cases.py`` and ``sampling_cases.py`` under whatever ``import tensorflow`` means.

    python record_convolution.py OUT.json.gz

``convolution.json.gz`` beside this file was recorded so under TensorFlow 1.15.5 (Python 3.7, NumPy 1.18).
"""

import gzip
import json
import sys

import convolution_cases
import sampling_cases
from record_linear import complaint, outcome

CASES = {**convolution_cases.CASES, **sampling_cases.CASES}
ERRORS = {**convolution_cases.ERRORS, **sampling_cases.ERRORS}


def main():
    record = {"cases": {}, "errors": {name: complaint(build) for name, build in ERRORS.items()}}
    for name, build in CASES.items():
        record["cases"][name] = outcome(build)
    with gzip.GzipFile(sys.argv[1], "wb", mtime=0) as file:
        file.write(json.dumps(record, separators=(",", ":"), sort_keys=True).encode())


if __name__ == "__main__":
    main()
