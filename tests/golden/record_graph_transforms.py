"""Record graphs that TensorFlow 1.15.5 transforms: run under it, writes graph_transforms.json.gz."""

import gzip
import json
import os

import tensorflow as tf
from graph_transform_cases import CASES, CHAIN, computed, recorded
from tensorflow.tools.graph_transforms import TransformGraph

if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    found = {case: recorded(tf, TransformGraph, case) for case in CASES}
    whole = {"nodes": found, "chain": computed(tf, TransformGraph, CHAIN)}
    with open(os.path.join(here, "graph_transforms.json.gz"), "wb") as file:
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            packed.write(json.dumps(whole, sort_keys=True).encode())
