"""Record ``profiler.json`` and ``profiler_views.json`` under TensorFlow 1.15.5: python record_profiler.py"""

import json
import os

from profiler_cases import of_file_descriptor, outcome, views
from record_effects import HERE, tf

if __name__ == "__main__":
    with open(os.path.join(HERE, "profiler.json"), "w") as f:
        json.dump(outcome(tf, of_file_descriptor), f, indent=1)
        f.write("\n")
    with open(os.path.join(HERE, "profiler_views.json"), "w") as f:
        json.dump(views(tf), f)
        f.write("\n")
