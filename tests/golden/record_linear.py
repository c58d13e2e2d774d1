"""Records the nodes, values and errors of ``linear_cases.py`` under whatever ``import tensorflow`` means.

    python record_linear.py OUT.json

``linear.json`` beside this file was recorded so under TensorFlow 1.15.5 (Python 3.7, NumPy 1.18).
"""

import json
import sys

import numpy as np
import tensorflow as tf
from linear_cases import CASES, ERRORS


def plain(value):
    """A value as JSON keeps it: nested lists; floats with seven digits (float32) or twelve."""
    value = np.asarray(value)
    if value.dtype.kind == "c":
        return [plain(value.real), plain(value.imag)]
    if value.dtype.kind == "f":
        digits = 12 if value.dtype == np.float64 else 7
        text = np.vectorize(lambda v: "%.*g" % (digits, v), otypes=[object])(value) if value.size else value
        return [str(value.dtype), json_floats(text.tolist())]
    if value.dtype.kind in "OSU":
        return ["string", np.vectorize(lambda v: v.decode(), otypes=[object])(value).tolist()]
    return [str(value.dtype), value.tolist()]


def json_floats(text):
    return [json_floats(t) for t in text] if isinstance(text, list) else float(text)


def attribute(value):
    """An attribute as text."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, tf.DType):
        return value.name
    if isinstance(value, list):
        return "[" + ",".join(attribute(v) for v in value) + "]"
    if type(value).__name__.startswith("TensorShape"):
        return str(tf.TensorShape(value)).replace(" ", "")
    return str(value)


def node(op):
    """One line per op: name, type, inputs, what it waits for, shapes, attributes."""
    shapes = ["?" if t.shape.ndims is None else str(t.shape.as_list()).replace(" ", "") for t in op.outputs]
    types = [t.dtype.name for t in op.outputs]
    attrs = []
    for key in sorted(op.node_def.attr):
        if key == "value":
            attrs.append("value=%s" % json.dumps(plain(tf.make_ndarray(op.node_def.attr["value"].tensor))[1]))
        elif key == "_gradient_op_type":
            attrs.append("%s=%s" % (key, attribute(op.get_attr(key)).split("-")[0]))
        elif key not in ("_class", "_output_shapes"):
            attrs.append("%s=%s" % (key, attribute(op.get_attr(key))))
    return " ".join(
        [
            op.name,
            op.type,
            ",".join(t.name for t in op.inputs) or "-",
            ",".join(sorted(c.name for c in op.control_inputs)) or "-",
            ";".join(types) or "-",
            ";".join(shapes) or "-",
            " ".join(attrs),
        ]
    )


def outcome(build):
    """The nodes that a case builds and the values of what it fetches."""
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(7)
        fetches = build(tf)
        nodes = [node(op) for op in graph.get_operations()]
        with tf.Session() as session:
            results = session.run([t for t in fetches if t is not None])
    names = [None if t is None else t.name for t in fetches]
    return {"fetches": names, "nodes": nodes, "values": [plain(v) for v in results]}


def complaint(build):
    """The class and the first line of the error that a case raises."""
    with tf.Graph().as_default():
        try:
            fetch = build(tf)
            with tf.Session() as session:
                session.run(fetch)
        except Exception as error:  # whatever it is, it is the fact to record
            message = error.message if isinstance(error, tf.errors.OpError) else str(error)
            return [type(error).__name__, message.split("\n")[0]]
    return None


def main():
    record = {"cases": {}, "errors": {}}
    only = sys.argv[2:]
    for name, build in CASES.items():
        if not only or any(o in name for o in only):
            try:
                record["cases"][name] = outcome(build)
            except Exception as error:
                print(name, type(error), str(error)[:300], file=sys.stderr)
    for name, build in ERRORS.items():
        record["errors"][name] = complaint(build)
    rows = [
        '"%s": {\n%s}'
        % (
            part,
            ",\n".join(
                "%s: %s" % (json.dumps(k), json.dumps(v, separators=(",", ":"))) for k, v in record[part].items()
            ),
        )
        for part in record
    ]
    with open(sys.argv[1], "w") as file:
        file.write("{%s}\n" % ",\n".join(rows))


if __name__ == "__main__":
    main()
