"""Record ``time_series.json.gz`` under TensorFlow 1.15.5: python record_time_series.py"""

import gzip
import json
import os

import tensorflow as tf
from tensorflow.contrib import timeseries
from tensorflow.contrib.timeseries.python.timeseries import estimators, model

from time_series_cases import MODES, RUN, Cases, nodes_of  # isort: skip

if __name__ == "__main__":
    cases = Cases(tf, timeseries, model, estimators)
    record = {"inputs": {name: nodes_of(graph) for name, graph in cases.input_graphs().items()}}
    for name in sorted(cases.models):
        for mode in MODES:
            record[name + " " + mode] = nodes_of(cases.graph_of(name, mode)[0])
            if name in RUN:
                record[name + " " + mode + " numbers"] = cases.numbers_of(name, mode)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "time_series.json.gz")
    with gzip.GzipFile(path, "wb", mtime=0) as f:
        f.write(json.dumps(record, sort_keys=True).encode())
