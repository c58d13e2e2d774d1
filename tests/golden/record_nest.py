"""Record the results of nest_cases.py.

usage: python record_nest.py     under a real TensorFlow 1.15.5; writes nest.json
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import nest_cases
from tensorflow.python.util import nest

with open(os.path.join(HERE, "nest.json"), "w") as f:
    json.dump(nest_cases.results(nest), f, indent=1, sort_keys=True)
    f.write("\n")
