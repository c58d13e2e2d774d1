"""Record ``served_estimator.json`` under TensorFlow 1.15.5: python record_served_estimator.py"""

import json
import os
import tempfile

from record_effects import HERE, np, tf
from served_estimator_cases import outcome

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, open(os.path.join(HERE, "served_estimator.json"), "w") as f:
        json.dump(outcome(tf, np, folder), f, indent=1)
