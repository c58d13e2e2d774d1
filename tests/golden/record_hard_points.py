"""Records what ``hard_point_cases.py`` gives under whatever ``import tensorflow`` means.

    python record_hard_points.py OUT.json.gz

``hard_points.json.gz`` beside this file was recorded so under TensorFlow 1.15.5 (Python 3.7, NumPy 1.18).
"""

import gzip
import json
import sys

import numpy as np
import tensorflow as tf
from hard_point_cases import CASES, LOST  # noqa: F401 (the test reads both here)


def written(value):
    """Nested lists of numbers; floats as text with eight or sixteen digits; a complex number as its two parts."""
    value = np.asarray(value)
    if value.dtype.kind == "c":
        return [written(value.real), written(value.imag)]
    if value.dtype.kind != "f":
        return value.tolist()
    digits = 16 if value.dtype == np.float64 else 8
    text = [("%.*g" % (digits, v)) for v in value.ravel().tolist()]
    return {"shape": list(value.shape), "values": " ".join(text)}


def node(op):
    """One line per op: name, type, inputs, what it waits for, outputs."""
    outputs = ["%s %s" % (t.dtype.name, "?" if t.shape.ndims is None else t.shape.as_list()) for t in op.outputs]
    waits = sorted("^" + c.name for c in op.control_inputs)
    return "%s %s(%s) %s" % (op.name, op.type, ", ".join([t.name for t in op.inputs] + waits), "; ".join(outputs))


def listed(ys):
    return list(ys) if isinstance(ys, (list, tuple)) else [ys]


def derivative(ys, xs):
    """The gradients, or the class and first line of the error."""
    seeds = [tf.ones_like(y) * (1 + 0.5j) if y.dtype.is_complex else None for y in ys]
    try:
        return tf.gradients(ys, xs, seeds), None
    except Exception as error:  # whatever it is, it is the fact to record
        return None, "%s: %s" % (type(error).__name__, str(error).split("\n")[0])


def outcome(expression, inputs, orders, dtype):
    """Nodes and values of the expression, of its gradients, and of theirs."""
    graph = tf.Graph()
    found = {}
    with graph.as_default():
        xs = [tf.placeholder(dtype, np.shape(v), name=n) for n, v in zip("xyz", inputs)]
        feeds = dict(zip(xs, inputs))
        try:
            ys = listed(eval(expression, {"tf": tf, "np": np}, dict(zip("xyz", xs))))
        except Exception as error:
            return [], {"y": "%s: %s" % (type(error).__name__, str(error).split("\n")[0])}
        fetches = {"y": ys}
        for key in ("dx", "ddx")[:orders]:
            dxs, error = derivative(ys, xs)
            if error is not None:
                found[key] = error
                break
            fetches[key] = dxs
            ys = [tf.convert_to_tensor(d) for d in dxs if d is not None]
            if not ys:
                break
        with tf.Session() as session:
            for key, tensors in fetches.items():
                try:
                    found[key] = [
                        None if t is None else written(session.run(tf.convert_to_tensor(t), feeds)) for t in tensors
                    ]
                except tf.errors.OpError as error:
                    found[key] = "%s: %s" % (type(error).__name__, error.message.split("\n")[0])
    return [node(op) for op in graph.get_operations()], found


def main():
    rows = {}
    for label, case in CASES.items():
        nodes, single = outcome(*case, "float32")
        _, double = outcome(*case, "float64")
        rows[label] = {"nodes": nodes, "float32": single, "float64": double}
    text = "{\n%s\n}\n" % ",\n".join("%s: %s" % (json.dumps(k), json.dumps(v)) for k, v in rows.items())
    with open(sys.argv[1], "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as file:
        file.write(text.encode())


if __name__ == "__main__":
    main()
