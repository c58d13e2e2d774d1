"""Record TensorFlow 1.15.5's random streams into philox.json; run it under that TensorFlow, on one CPU thread."""
import ctypes
import hashlib
import json
import math
import os
import sys

os.environ.update(CUDA_VISIBLE_DEVICES="", TF_CPP_MIN_LOG_LEVEL="3")
import numpy as np
import tensorflow as tf
from tensorflow.python.framework import random_seed

raw = tf.raw_ops
LARGE = 1000003
ONE_THREAD = tf.ConfigProto(intra_op_parallelism_threads=1)  # the process keeps its first session's


def text(values):
    """JSON has no word for what is not finite."""
    return [v if math.isfinite(v) else repr(v) for v in values]


def summary(values):
    found = {"dtype": values.dtype.name, "shape": list(values.shape)}
    if values.size > 40:
        found["sha256"] = hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()
        values = values.ravel()[:8]
    found["values"] = text(values.ravel().tolist())
    return found


def written(value):
    if isinstance(value, np.ndarray):
        return {"dtype": value.dtype.name, "shape": list(value.shape), "values": text(value.ravel().tolist())}
    return value


def record(op, seeds=(87654321, 5), runs=2, shape=None, **inputs):
    """Run ``op`` so many times in one session; a bfloat16 result is read as float32."""
    if shape is not None:
        inputs["shape"] = np.array(shape, np.int32)
    with tf.Graph().as_default():
        out = getattr(raw, op)(**inputs, **dict(zip(("seed", "seed2"), seeds)))
        if out.dtype == tf.bfloat16:
            out = tf.cast(out, tf.float32)
        with tf.Session(config=ONE_THREAD) as session:
            results = [summary(session.run(out)) for _ in range(runs)]
    return {"op": op, "seeds": list(seeds), "inputs": {k: written(v) for k, v in inputs.items()}, "runs": results}


def streams():
    floats = "float16", "bfloat16", "float32", "float64"
    for dtype in floats:
        for op in "RandomUniform", "RandomStandardNormal", "TruncatedNormal":
            for shape in [], [5], [3, 7], [LARGE]:
                yield record(op, shape=shape, dtype=dtype)
            yield record(op, seeds=(-5, -(1 << 40)), shape=[9], dtype=dtype)
        for op in "StatelessRandomUniform", "StatelessRandomNormal", "StatelessTruncatedNormal":
            yield record(op, (), 1, shape=[13], seed=np.array([3, -4], np.int32), dtype=dtype)
            yield record(op, (), 1, shape=[13], seed=np.array([3 << 40, -4], np.int64), dtype=dtype)
    for kind, low, high in (np.int32, -7, 1000), (np.int32, -2**31, 2**31 - 1), (np.int64, -7, 10**12), (np.int64, -2**63, 2**63 - 1):
        low, high = np.array(low, kind), np.array(high, kind)
        yield record("RandomUniformInt", shape=[11], minval=low, maxval=high)
        yield record("RandomUniformInt", shape=[LARGE], minval=low, maxval=high)
        yield record("StatelessRandomUniformInt", (), 1, shape=[11], seed=np.array([3, -4], np.int32), minval=low, maxval=high)

    for n in 1, 2, 7, 400:
        yield record("RandomShuffle", runs=3, value=np.arange(n, dtype=np.int64))
    logits = np.round(np.random.RandomState(0).randn(7, 5) * 3, 2)
    logits[3, 4], logits[5, 2], logits[6, 3], logits[4] = -np.inf, np.nan, np.inf, -np.inf
    for kind in np.float16, np.float32, np.float64:
        for dtype in "int32", "int64":
            yield record("Multinomial", runs=3, logits=logits.astype(kind), num_samples=5, output_dtype=dtype)
    yield record("Multinomial", logits=np.zeros([20, 2], np.float32), num_samples=301, output_dtype="int64")
    yield record("StatelessMultinomial", (), 1, logits=logits, num_samples=5, seed=np.array([3, -4], np.int32), output_dtype="int64")

    alpha = np.array([0.0, 0.1, 0.9, 1.0, 1.5, 100.0, np.inf])
    for kind in np.float16, np.float32, np.float64:
        for shape in [], [3], [2, 1500]:
            yield record("RandomGamma", shape=shape, alpha=alpha.astype(kind))
    rate = np.array([-1.0, 0.0, 0.1, 3.0, 9.99, 10.0, 33.3, 1000.0])
    for kind in np.float16, np.float32, np.float64, np.int32, np.int64:
        for dtype in "float16", "float32", "float64", "int32", "int64":
            yield record("RandomPoissonV2", shape=[3], rate=rate.astype(kind), dtype=dtype)
    yield record("RandomPoissonV2", shape=[1500], rate=rate, dtype="float64")
    yield record("RandomPoissonV2", shape=[3], rate=np.array([np.inf, 1e9]), dtype="float64")

    bounds = (0, 1, -2, 2), (0, 1, -1.4, 1.4), (0, 1, -1.2, 1.2), (1, 2, -np.inf, 3), (0, 1, 0.5, 0.7), (0, 1, 3, 9), (0, 1, 5, np.inf), (0, 1, -9, -3), ([0, 1, 2], [1, 2, 3], [-2, -np.inf, 9], [2, 3, 30])
    for kind in np.float16, np.float32, np.float64:
        for m, s, low, high in bounds:
            m, s, low, high = (np.array(p, kind) for p in (m, s, low, high))
            yield record("ParameterizedTruncatedNormal", shape=[3, 70], means=m, stdevs=s, minvals=low, maxvals=high)


def seed_pairs():
    """graph seed, op seed, ops in the graph -> tf.get_seed."""
    given = None, 0, 1, -1, 2**31 - 2, 2**31 - 1, 2**31, 2**40 + 3
    for graph_seed in given:
        for op_seed in given:
            for n_ops in 0, 3:
                with tf.Graph().as_default():
                    for _ in range(n_ops):
                        tf.no_op()
                    tf.set_random_seed(graph_seed)
                    yield [graph_seed, op_seed, n_ops, list(random_seed.get_seed(op_seed))]


def c_library():
    """Digests of float32 log, sin, cos at every argument of a Box-Muller draw."""
    libm = ctypes.CDLL("libm.so.6")
    u = np.arange(2**23, dtype=np.float32) * np.float32(2.0**-23)
    angle = (u.astype(np.float64) * (2 * math.pi)).astype(np.float32)
    for name, x in ("logf", np.maximum(u, np.float32(1e-7))), ("sinf", angle), ("cosf", angle):
        function = getattr(libm, name)
        function.restype, function.argtypes = ctypes.c_float, [ctypes.c_float]
        values = np.fromiter(map(function, x.tolist()), np.float32, x.size)
        yield name, hashlib.sha256(values.tobytes()).hexdigest()


if __name__ == "__main__":
    golden = {"tensorflow": tf.__version__, "get_seed": list(seed_pairs()), "c_library": dict(c_library()), "streams": list(streams())}
    head = {k: v for k, v in golden.items() if k != "streams"}
    lines = [json.dumps({k: v}, sort_keys=True)[1:-1] for k, v in sorted(head.items())]
    rows = ",\n ".join(json.dumps(r, sort_keys=True) for r in golden["streams"])
    target = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "philox.json")
    with open(target, "w") as f:
        f.write("{" + ",\n".join(lines) + ',\n"streams": [\n ' + rows + "\n]}\n")
