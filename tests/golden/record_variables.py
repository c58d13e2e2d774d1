"""Records the nodes, notes and errors of ``variable_cases.py`` under whatever ``import tensorflow`` means.

    python record_variables.py OUT.json

``variables.json`` beside this file was recorded so under TensorFlow 1.15.5 (Python 3.7, NumPy 1.18).
"""

import json
import re
import sys

import numpy as np
import tensorflow as tf
from variable_cases import CASES, ERRORS


def node(op):
    """One line per op: name, type, inputs, what it waits for, outputs, device and attributes but values."""
    attrs = []
    for key in sorted(op.node_def.attr):
        if key == "_class":
            attrs.append("_class=" + ",".join(group.decode() for group in op.get_attr(key)))
        elif key in ("shared_name", "container", "use_locking", "validate_shape", "dtype", "T"):
            value = op.get_attr(key)
            attrs.append("%s=%s" % (key, value.decode() if isinstance(value, bytes) else getattr(value, "name", value)))
    shapes = ["?" if t.shape.ndims is None else str(t.shape.as_list()).replace(" ", "") for t in op.outputs]
    return " ".join([
        op.name, op.type, ",".join(t.name for t in op.inputs) or "-",
        ",".join(sorted(c.name for c in op.control_inputs)) or "-", ";".join(t.dtype.name for t in op.outputs) or "-",
        ";".join(shapes) or "-", op.device or "-", *attrs,
    ])


def plain(value):
    """A value as JSON keeps it."""
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, (np.ndarray, np.generic)):
        value = np.asarray(value)
        if value.dtype.kind in "OSU":
            return [v.decode() for v in value.ravel().tolist()]
        if value.dtype.kind == "f":
            digits = 12 if value.dtype == np.float64 else 7
            return [str(value.dtype), list(value.shape), [float("%.*g" % (digits, v)) for v in value.ravel()]]
        return [str(value.dtype), list(value.shape), value.ravel().tolist()]
    if isinstance(value, (str, int, float, bool, type(None))):
        return value
    return str(value)


def first_line(error):
    """The class of an error and the first line of its message, without addresses."""
    return type(error).__name__ + ": " + re.sub(r" at 0x[0-9a-f]+", "", str(error).split("\n")[0])


def outcome(program):
    """What a program noted, the nodes that it built and the collections that it filled."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        notes = []

        def run(fetches, feeds=None):
            try:
                notes.append(plain(session.run(fetches, feeds)))
            except (tf.errors.OpError, ValueError) as error:
                notes.append(first_line(error))

        program(tf, lambda value: notes.append(plain(value)), run)
        collections = {str(k): plain(graph.get_collection(k)) for k in graph.get_all_collection_keys()}
        return {"notes": notes, "nodes": [node(op) for op in graph.get_operations()], "collections": collections}


def complaint(build):
    """The error of a program that goes wrong."""
    with tf.Graph().as_default():
        try:
            build(tf)
        except (tf.errors.OpError, ValueError, TypeError, AttributeError, RuntimeError) as error:
            return first_line(error)
    return None


if __name__ == "__main__":
    recorded = {
        "cases": {name: outcome(program) for name, program in CASES.items()},
        "errors": {name: complaint(build) for name, build in ERRORS.items()},
    }
    with open(sys.argv[1], "w") as out:
        json.dump(recorded, out, indent=1, sort_keys=True)
        out.write("\n")
