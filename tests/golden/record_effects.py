"""Record ``effects.json.gz`` under TensorFlow 1.15.5: python record_effects.py"""

import gzip
import json
import os
import sys
import warnings

warnings.simplefilter("ignore")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

tf.logging.set_verbosity(tf.logging.ERROR)
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from effect_cases import CASES, outcome, plain  # noqa: E402


def attr(value):
    kind = value.WhichOneof("value")
    if kind == "type":
        return tf.as_dtype(value.type).name
    if kind == "shape":
        return None if value.shape.unknown_rank else [None if d.size < 0 else d.size for d in value.shape.dim]
    if kind == "s":
        return value.s.decode()
    if kind == "tensor":
        return plain(np, tf.make_ndarray(value.tensor))
    if kind == "list":
        v = value.list
        if v.shape:
            return [None if x.unknown_rank else [None if d.size < 0 else d.size for d in x.dim] for x in v.shape]
        return [x.decode() for x in v.s] or list(v.i) or list(v.f) or list(v.b) or [tf.as_dtype(t).name for t in v.type]
    if kind == "func":
        return value.func.name
    return getattr(value, kind)


def nodes_of(graph):
    return [
        {
            "name": op.name,
            "op": op.type,
            "inputs": [t.name for t in op.inputs],
            "waits": sorted(c.name for c in op.control_inputs),
            "outputs": [[t.dtype.name, None if t.shape.ndims is None else t.shape.as_list()] for t in op.outputs],
            "attrs": {k: attr(v) for k, v in sorted(op.node_def.attr.items()) if k not in ("_output_shapes", "token")},
        }
        for op in graph.get_operations()
    ]


def error_of(error):
    return [type(error).__name__, str(error).split("\n\t [[")[0].split("\nTraceback")[0]]


if __name__ == "__main__":
    record = {name: outcome(tf, np, code, nodes_of, error_of) for name, code in CASES.items()}
    with gzip.GzipFile(os.path.join(HERE, "effects.json.gz"), "wb", mtime=0) as f:
        f.write(json.dumps(record, sort_keys=True).encode())
    for name, found in record.items():
        print(name[:100], "->", found.get("error", ""))
