"""Files of ``tf.Example``s for the programs that are measured."""

from __future__ import annotations

import os


def of_ints(tf, *values):  # type: ignore[no-untyped-def]
    """A feature of whole numbers."""
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def of_floats(tf, *values):  # type: ignore[no-untyped-def]
    """A feature of numbers."""
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def of_texts(tf, *values):  # type: ignore[no-untyped-def]
    """A feature of bytes."""
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))


def write(tf, folder, name, rows):  # type: ignore[no-untyped-def]
    """A file of records: bytes, messages, or dicts of features."""
    with tf.python_io.TFRecordWriter(os.path.join(folder, name + ".tfrecord")) as writer:
        for row in rows:
            if isinstance(row, dict):
                row = tf.train.Example(features=tf.train.Features(feature=row))
            writer.write(row if isinstance(row, bytes) else row.SerializeToString())
