"""Record ``summaries.json`` under TensorFlow 1.15.5: python record_summaries.py"""

import json
import os

from record_effects import HERE, nodes_of, np, tf
from summary_cases import CASES, outcome

if __name__ == "__main__":
    with open(os.path.join(HERE, "summaries.json"), "w") as f:
        json.dump({code: outcome(tf, np, code, nodes_of) for code in CASES}, f, indent=1, sort_keys=True)
        f.write("\n")
