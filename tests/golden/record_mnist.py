"""Records what the MNIST reader gives and says, under whatever ``import tensorflow`` means.

    python record_mnist.py OUT.json FOLDER       FOLDER holds the four real files

``mnist.json`` beside this file was recorded so under TensorFlow 1.15.5 (Python 3.7, NumPy 1.18).
"""

import contextlib
import gzip
import io
import json
import os
import struct
import sys
import tempfile
import zlib

import numpy as np
import tensorflow as tf
from tensorflow.contrib.learn.python.learn.datasets import base, mnist

TRAIN, TEST = 70, 30


def write_files(folder):
    """A small data set in MNIST's format."""
    random = np.random.RandomState(1)
    for part, count in (("train", TRAIN), ("t10k", TEST)):
        pixels = random.randint(0, 256, (count, 28, 28)).astype(np.uint8)
        digits = random.randint(0, 10, count).astype(np.uint8)
        images = struct.pack(">4I", 2051, count, 28, 28) + pixels.tobytes()
        labels = struct.pack(">2I", 2049, count) + digits.tobytes()
        for kind, content in (("images-idx3", images), ("labels-idx1", labels)):
            with gzip.open(os.path.join(folder, "%s-%s-ubyte.gz" % (part, kind)), "wb") as file:
                file.write(content)


def mark(array):
    """A fingerprint: dtype, shape and contents."""
    if isinstance(array, list):
        return ["list", len(array), zlib.crc32(repr(array).encode())]
    array = np.ascontiguousarray(array)
    return [str(array.dtype), list(array.shape), zlib.crc32(array.tobytes())]


def stream_mark():
    """Where NumPy's global stream stands."""
    return [zlib.crc32(np.random.get_state()[1].astype(np.uint32).tobytes()), int(np.random.get_state()[2])]


def batches(data, sizes, **how):
    rows = []
    for size in sizes:
        images, labels = data.next_batch(size, **how)
        rows.append([mark(images), mark(labels), data.epochs_completed])
    return rows


def summary(data):
    return [mark(data.images), mark(data.labels), data.num_examples, data.epochs_completed]


def reading(folder, graph_seed=None, **how):
    with tf.Graph().as_default() as graph:
        graph.seed = graph_seed
        return read(folder, graph_seed is not None or how.get("seed") is not None, **how)


def read(folder, fixed, seed_before=99, seed_after=None, sizes=(20, 20, 20, 20, 20, 50, 7), how={}, **options):
    options.setdefault("validation_size", 10)
    np.random.seed(seed_before)
    before, printed = stream_mark(), io.StringIO()
    with contextlib.redirect_stdout(printed):
        sets = mnist.read_data_sets(folder, **options)
    after = stream_mark()
    row = {"printed": printed.getvalue().replace(folder, "DIR"), "stream moved": after != before}
    if fixed:
        row["stream after reading"] = after
    if seed_after is not None:
        np.random.seed(seed_after)
    if fixed or seed_after is not None or options.get("fake_data"):
        row["sets"] = [summary(s) for s in sets] if not options.get("fake_data") else None
        row["train"] = batches(sets.train, sizes, **how)
        row["validation"] = batches(sets.validation, (4, 4, 4), **how)
        row["test"] = batches(sets.test, (30, 30), **how)
    if fixed or seed_after is not None:
        row["stream"] = stream_mark()
    return row


def said(do, folder):
    """The class and text of the error, or what came back."""
    try:
        value = do()
    except Exception as error:
        return [type(error).__name__, str(error).replace(folder, "DIR")]
    return ["no error", mark(value) if isinstance(value, np.ndarray) else repr(value).replace(folder, "DIR")]


def idx(*parts):
    packed = b"".join(struct.pack(">I", p) if isinstance(p, int) else p for p in parts)
    content = io.BytesIO()
    with gzip.GzipFile(fileobj=content, mode="wb") as file:
        file.write(packed)
    content.seek(0)
    content.name = "some/file.gz"
    return content


def record(real):
    folder = tempfile.mkdtemp()
    write_files(folder)
    images, labels = np.zeros((5, 28, 28, 1), np.uint8), np.arange(5, dtype=np.uint8)
    out = {
        "readings": {
            "seed": reading(folder, seed=3),
            "seed 0": reading(folder, seed=0),
            "seed 0, graph seed 0": reading(folder, seed=0, graph_seed=0),
            "seed, graph seed": reading(folder, seed=3, graph_seed=5),
            "graph seed": reading(folder, graph_seed=5),
            "graph seed 0": reading(folder, graph_seed=0),
            "large seed": reading(folder, seed=2**31 + 10),
            "seeded before": reading(folder, seed_before=7),
            "seeded before, graph seed": reading(folder, seed_before=7, graph_seed=5),
            "seeded after": reading(folder, seed_after=7),
            "not shuffled": reading(folder, seed=3, how={"shuffle": False}),
            "one hot": reading(folder, seed=3, one_hot=True),
            "not reshaped": reading(folder, seed=3, reshape=False),
            "uint8": reading(folder, seed=3, dtype=tf.uint8),
            "uint8 by name": reading(folder, seed=3, dtype="uint8"),
            "float32 by numpy": reading(folder, seed=3, dtype=np.float32),
            "no validation": reading(folder, seed=3, validation_size=1),
            "whole epochs": reading(folder, seed=3, sizes=(60, 60, 60, 30, 30, 30, 31)),
            "fake": reading(folder, fake_data=True, how={"fake_data": True}),
            "fake, seed": reading(folder, fake_data=True, seed=3, how={"fake_data": True}),
            "fake, one hot": reading(folder, fake_data=True, one_hot=True, how={"fake_data": True}),
        },
        "errors": {
            "dtype": said(lambda: mnist.read_data_sets(folder, dtype=tf.float64, validation_size=1), folder),
            "dtype by name": said(lambda: mnist.DataSet(images, labels, dtype="int32"), folder),
            "validation too large": said(lambda: mnist.read_data_sets(folder, validation_size=71), folder),
            "validation negative": said(lambda: mnist.read_data_sets(folder, validation_size=-1), folder),
            "validation default": said(lambda: mnist.read_data_sets(folder), folder),
            "counts differ": said(lambda: mnist.DataSet(images, labels[:4]), folder),
            "two channels": said(lambda: mnist.DataSet(np.zeros((5, 28, 28, 2)), labels), folder),
            "batch too large": said(lambda: mnist.DataSet(images, labels, seed=1).next_batch(6)[0], folder),
            "batch far too large": said(lambda: mnist.DataSet(images, labels, seed=1).next_batch(16)[0], folder),
            "batch of none": said(lambda: mnist.DataSet(images, labels, seed=1).next_batch(0)[0], folder),
            "images' magic": said(lambda: mnist.extract_images(idx(2049, 1, 1, 1, b"\0")), folder),
            "labels' magic": said(lambda: mnist.extract_labels(idx(2051, 1, b"\0")), folder),
            "images": said(lambda: mnist.extract_images(idx(2051, 2, 1, 3, b"abcdef")), folder),
            "labels": said(lambda: mnist.extract_labels(idx(2049, 3, b"\0\3\2")), folder),
            "labels, one hot": said(lambda: mnist.extract_labels(idx(2049, 3, b"\0\3\2"), one_hot=True, num_classes=4), folder),
            "one hot": said(lambda: mnist.dense_to_one_hot(np.array([1, 0, 2]), 3), folder),
            "one hot, too few": said(lambda: mnist.dense_to_one_hot(np.array([1, 0, 3]), 3), folder),
            "there already": said(lambda: base.maybe_download("t10k-labels-idx1-ubyte.gz", folder, "http://0.0.0.0/"), folder),
        },
        "real": reading(real, seed=1, one_hot=True, validation_size=5000, sizes=(100, 100)),
        "names": {
            "sets": [type(mnist.read_data_sets(folder, validation_size=1)).__name__, list(base.Datasets._fields)],
            "DataSet": sorted(n for n in vars(mnist.DataSet) if not n.startswith("_")),
            "url": mnist.DEFAULT_SOURCE_URL,
        },
    }
    return json.loads(json.dumps(out))


if __name__ == "__main__":
    with contextlib.redirect_stdout(io.StringIO()):
        recorded = record(sys.argv[2])
    with open(sys.argv[1], "w") as file:
        json.dump(recorded, file, indent=1, sort_keys=True)
        file.write("\n")
