"""Records the nodes, values and errors of ``matrix_cases.py`` under whatever ``import tensorflow`` means.

    python record_matrices.py OUT.json.gz

``matrices.json.gz`` beside this file was recorded so under TensorFlow 1.15.5 (Python 3.7, NumPy 1.18).
"""

import sys

from matrix_cases import CASES
from record_gradients import found, write

if __name__ == "__main__":
    write({name: found(build) for name, build in CASES.items()}, sys.argv[1])
