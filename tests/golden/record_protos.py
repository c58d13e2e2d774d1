"""Record the protos of proto_cases.py.

usage: python record_protos.py     under a real TensorFlow 1.15.5; writes protos.json
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import proto_cases
import tensorflow as tf

with open(os.path.join(HERE, "protos.json"), "w") as f:
    json.dump(proto_cases.facts(tf), f, indent=1, sort_keys=True)
    f.write("\n")
