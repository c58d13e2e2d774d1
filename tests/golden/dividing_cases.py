"""Pipelines divided among workers and replicas, and functions of rows, as run under TensorFlow 1.15.5 and here."""

import os

import numpy as np


def files_in(tf, folder):
    """Four files of three records."""
    names = [os.path.join(str(folder), f"f{i}") for i in range(4)]
    for i, name in enumerate(names):
        with tf.python_io.TFRecordWriter(name) as writer:
            for j in range(3):
                writer.write(f"{i}.{j}".encode())
    return names


def sharded(tf, files):
    """Pipelines for worker 1 of 2."""
    data, more, read = tf.data.Dataset, tf.data.experimental, tf.data.TFRecordDataset

    def names(count=4):
        return data.from_tensor_slices(files[:count])

    def records():
        return names().flat_map(read)

    return {
        "flat": records,
        "direct": lambda: read(files),
        "in turn": lambda: read(files, num_parallel_reads=2),
        "interleave": lambda: names().interleave(read, 2),
        "take": lambda: names().take(3).flat_map(read),
        "skip": lambda: names().skip(1).flat_map(read),
        "take behind": lambda: records().take(4),
        "skip behind": lambda: records().skip(2),
        "repeat": lambda: records().repeat(2),
        "three, repeated": lambda: names(3).repeat(2).flat_map(read),
        "three, repeated and shuffled": lambda: names(3).repeat(2).shuffle(1).flat_map(read),
        "map": lambda: names().map(lambda x: x).flat_map(read),
        "filter": lambda: records().filter(lambda x: tf.not_equal(x, b"1.1")),
        "cache": lambda: records().cache(),
        "prefetch": lambda: records().prefetch(1),
        "batch": lambda: records().batch(2),
        "padded batch": lambda: records().padded_batch(2, []),
        "map and batch": lambda: records().apply(more.map_and_batch(lambda x: x, 2)),
        "shard": lambda: records().shard(2, 1),
        "shuffle": lambda: names().shuffle(1).flat_map(read),
        "shuffle behind": lambda: records().shuffle(1),
        "concatenate": lambda: records().concatenate(records()),
        "zip": lambda: data.zip((records(), records())).map(lambda a, b: tf.strings.join([a, b])),
        "options": lambda: records().with_options(tf.data.Options()),
        "a list of files": lambda: data.list_files(files, shuffle=False).flat_map(read),
        "unbatch": lambda: records().batch(2).apply(more.unbatch()),
        "unique": lambda: records().apply(more.unique()),
        "ignore errors": lambda: records().apply(more.ignore_errors()),
        "take while": lambda: records().apply(more.take_while(lambda x: True)),
        "scan": lambda: records().apply(more.scan(0, lambda s, x: (s + 1, x))),
        "enumerate": lambda: records().apply(more.enumerate_dataset()).map(lambda i, x: x),
        "group": lambda: records().apply(
            more.group_by_window(lambda x: tf.constant(0, tf.int64), lambda k, w: w.batch(2), 4)
        ),
        "flat twice": lambda: records().flat_map(lambda x: data.from_tensors(x)),
        "inside": lambda: data.from_tensors(0).flat_map(lambda _: names().flat_map(read)),
        "range": lambda: data.range(7),
        "one element": lambda: data.range(1),
        "one of worker 0": lambda: (data.range(1), 2, 0),
        "five of ten": lambda: (data.range(5), 10, 0),
        "none": lambda: (data.range(0), 10, 0),
        "few files": lambda: (read(files), 10, 9),
        "a worker too many": lambda: (read(files), 2, 2),
        "no worker": lambda: (data.range(5), 0, 0),
    }


def rebatched(tf):
    """Pipelines for 4 replicas."""
    data, more = tf.data.Dataset, tf.data.experimental

    def batches():
        return data.range(20).batch(6)

    return {
        "batch": batches,
        "whole batches": lambda: data.range(20).batch(6, drop_remainder=True),
        "batches of batches": lambda: data.range(20).batch(2).batch(6),
        "map": lambda: batches().map(lambda x: x + 1),
        "filter": lambda: batches().filter(lambda x: tf.shape(x)[0] > 2),
        "take": lambda: batches().take(2),
        "skip": lambda: batches().skip(1),
        "map and batch": lambda: data.range(20).apply(more.map_and_batch(lambda x: x, 6)),
        "padded batch": lambda: data.range(20).batch(2).padded_batch(6, [3]),
        "concatenate": lambda: data.range(4).batch(6).concatenate(data.range(5).batch(4)),
        "zip": lambda: data.zip((batches(), data.range(20).batch(4))).map(lambda a, b: b),
        "flat": lambda: data.range(2).flat_map(lambda i: data.range(7).batch(6)),
        "group": lambda: data.range(20).apply(
            more.group_by_window(lambda x: x % 2, lambda k, w: w.batch(5), 10)
        ),
        "one element": lambda: data.from_tensors(tf.range(6)),
        "no rows": lambda: data.range(20),
        "no replicas": lambda: (batches(), 0),
    }


def mapped(tf, function, map_defun):
    """Functions of rows; ``function`` is the decorator of functions, which takes ``input_signature``."""

    @function(input_signature=[tf.TensorSpec([], tf.int32)])
    def plus(x):
        return x + 2, tf.cast(x, tf.float32)

    @function(input_signature=[tf.TensorSpec(None, tf.int32)])
    def counted(x):
        return tf.range(x)

    def both(elems, types=(tf.int32, tf.float32), shapes=((), ())):
        return lambda: map_defun(plus, elems(), list(types), list(shapes))

    def given(value):
        return lambda: [tf.placeholder_with_default(np.array(value, np.int32), None)]

    def one(value, shape):
        return lambda: map_defun(counted, given(value)(), [tf.int32], [shape])

    return {
        "rows": both(given([1, 2])),
        "no rows": both(given([])),
        "a number": both(given(1)),
        "a known number": both(lambda: [tf.constant(1)]),
        "other shapes": one([2, 2], None),
        "shapes that differ": one([1, 2], None),
        "another shape": one([1, 1], (2,)),
        "no rows of a shape": one([], (3,)),
    }


def outcome(tf, build):
    """All elements, or the error, first lines alone."""
    found = []
    with tf.Graph().as_default():
        try:
            built = build()
            if isinstance(built, list):
                with tf.Session() as session:
                    return [x.tolist() for x in session.run(built)]
            iterator = tf.compat.v1.data.make_initializable_iterator(built)
            following = iterator.get_next()
            with tf.Session() as session:
                session.run(iterator.initializer)
                while True:
                    found.append(plain(session.run(following)))
        except tf.errors.OutOfRangeError:
            return found
        except Exception as error:
            text = getattr(error, "message", str(error)).split("\n")[0]
            text = "" if text.startswith(("Mismatch", "2 root")) else text  # whichever row came first
            return [*found, [type(error).__name__, text.split(" for 'MapDefun")[0]]]


def plain(x):
    return x.decode() if isinstance(x, bytes) else [plain(y) for y in x] if np.ndim(x) else int(x)


def outcomes(tf, folder, distribute, map_defun, function):
    """Everything, by name."""
    result = {}
    for kind, make, cases, settings in (
        ("shard", distribute._AutoShardDataset, lambda: sharded(tf, files_in(tf, folder)), (2, 1)),
        ("rebatch", distribute._RebatchDataset, lambda: rebatched(tf), (4,)),
    ):
        for name, case in cases().items():

            def build(case=case, make=make, settings=settings):
                made = case()
                return make(*made) if isinstance(made, tuple) else make(made, *settings)

            result[f"{kind}: {name}"] = outcome(tf, build)
    for name, case in mapped(tf, function, map_defun.map_defun).items():
        result[f"rows: {name}"] = outcome(tf, case)
    return result
