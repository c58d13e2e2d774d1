"""Checkpoints that TensorFlow 1.15.5 writes, what is in them, and what it says of damaged ones.

    CUDA_VISIBLE_DEVICES= python -W ignore tests/golden/record_checkpoints.py
"""

import json
import os
import shutil
import tempfile

import numpy as np
import tensorflow as tf

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "checkpoints")
RAW = {
    name: ((np.arange(6).reshape(3, 2) * 37 - 80) / 8).astype(name)
    for name in "float32 float64 int32 uint8 int16 int8 complex64 int64 uint16 complex128 float16".split()
}
RAW.update(flag=np.array([True, False, True]), scalar=np.float32(1.5), empty=np.zeros((0, 4), "float32"))
TEXT = {"text": [b"a", b"", b"\x00\xff" * 100], "word": b"hello"}


def build(old=False):
    for name, value in RAW.items():
        if not (old and name in ("float16", "uint16")):
            tf.Variable(value, name=name)
    for name, value in TEXT.items():
        tf.Variable(tf.constant(value), name=name)
    if not old:
        tf.Variable(tf.cast([1.0, 2.5], tf.bfloat16), name="bfloat16")
    tf.Variable([7.0, 8.0], name="resource", use_resource=True)
    with tf.variable_scope("cut", partitioner=tf.fixed_size_partitioner(3)):
        tf.get_variable("w", initializer=tf.constant(np.arange(20, dtype=np.float32).reshape(5, 4)))


def write(name, make, **arguments):
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as sess:
        make()
        sess.run(tf.global_variables_initializer())
        saver = tf.train.Saver(**arguments)
        saver.save(sess, os.path.join(HERE, name), write_meta_graph=False, write_state=False)


def on_two_devices():
    for i in range(2):
        with tf.device("/cpu:%d" % i):
            tf.Variable([float(i), 2.0], name="v%d" % i)


def plain(value):
    value = np.asarray(value)
    if value.dtype == object or value.dtype.kind == "S":
        flat = [x.decode("latin-1") for x in value.ravel().tolist()]
    elif value.dtype.kind == "c":
        flat = [[x.real, x.imag] for x in value.ravel().tolist()]
    else:
        flat = value.ravel().astype("float32" if "bfloat" in str(value.dtype) else value.dtype).tolist()
    return {"shape": list(value.shape), "values": flat}


def contents(name):
    reader = tf.train.NewCheckpointReader(os.path.join(HERE, name))
    dtypes = reader.get_variable_to_dtype_map()
    found = {}
    for n in sorted(dtypes):
        try:
            found[n] = dict(plain(reader.get_tensor(n)), dtype=dtypes[n].name)
        except tf.errors.UnimplementedError:  # some dtypes in the old format
            pass
    return found


def error_of(function):
    try:
        function()
    except Exception as error:
        return [type(error).__name__, getattr(error, "message", str(error)).split("\n\t [[")[0]]
    return None


DAMAGE = {  # file, how it is changed
    "magic": (".index", lambda b: b[:-1] + b"\x00"),
    "block": (".index", lambda b: b[:20] + bytes([b[20] ^ 0x55]) + b[21:]),
    "cut index": (".index", lambda b: b[:100]),
    "empty index": (".index", lambda b: b""),
    "cut data": (".data-00000-of-00001", lambda b: b[:50]),
    "data": (".data-00000-of-00001", lambda b: bytes(x ^ 0x55 for x in b)),
    "no data": (".data-00000-of-00001", None),
}


def damaged(folder):
    found = {}
    for name, (suffix, change) in DAMAGE.items():
        prefix = os.path.join(folder, "model")
        for each in (".index", ".data-00000-of-00001"):
            shutil.copy(os.path.join(HERE, "all") + each, prefix + each)
        if change is None:
            os.remove(prefix + suffix)
        else:
            with open(prefix + suffix, "rb") as file:
                content = file.read()
            with open(prefix + suffix, "wb") as file:
                file.write(change(content))
        for tensor in ("float32", "text"):
            error = error_of(lambda: tf.train.NewCheckpointReader(prefix).get_tensor(tensor))
            found[name + ", " + tensor] = [error[0], error[1].replace(folder, "FOLDER")]
    return found


def restored(make):
    with tf.Graph().as_default(), tf.Session() as sess:
        make()
        tf.train.Saver().restore(sess, os.path.join(HERE, "all"))


def cut_otherwise():
    with tf.variable_scope("cut", partitioner=tf.fixed_size_partitioner(2)):
        tf.get_variable("w", (6, 4))


def main():
    tf.logging.set_verbosity(tf.logging.ERROR)
    shutil.rmtree(HERE, ignore_errors=True)
    os.makedirs(HERE)
    write("all", build)
    write("old", lambda: build(old=True), write_version=tf.train.SaverDef.V1)
    write("sharded", on_two_devices, sharded=True)
    folder = tempfile.mkdtemp()
    record = {
        "contents": {name: contents(name) for name in ("all", "old", "sharded")},
        "damaged": damaged(folder),
        "unfit": {
            "shape": error_of(lambda: restored(lambda: tf.Variable(tf.zeros([2, 2]), name="float32"))),
            "dtype": error_of(lambda: restored(lambda: tf.Variable(tf.zeros([3, 2], tf.float64), name="float32"))),
            "name": error_of(lambda: restored(lambda: tf.Variable(1.0, name="scalars"))),
            "slice": error_of(lambda: restored(cut_otherwise)),
        },
        "missing": error_of(lambda: tf.train.NewCheckpointReader("/nowhere/model")),
        "no key": error_of(lambda: tf.train.NewCheckpointReader(os.path.join(HERE, "all")).get_tensor("nope")),
    }
    shutil.rmtree(folder)
    with open(HERE + ".json", "w") as file:
        json.dump(record, file, indent=1, sort_keys=True)
        file.write("\n")


if __name__ == "__main__":
    main()
