"""Load SavedModels that were changed at random, and run what is left: python hostile_saved_models.py SEED COUNT

What goes beyond an error that names what is wrong, 30 seconds or 6 GB of memory ends with a traceback.
"""

from __future__ import annotations

import random
import resource
import shutil
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from google.protobuf.descriptor import FieldDescriptor as Field
from google.protobuf.message import DecodeError

from retrograd import tf
from retrograd.graph.errors import OpError
from retrograd.io.saved_model.messages import saved_model_class

NUMBERS = (0, 1, -1, 2, 7, 63, 255, 2**31 - 1, -(2**31), 2**32, 2**40, 2**62, 2**63 - 1, -(2**63))
WORDS = ("", "/", "a" * 1000, "\0", "x:0", "^x", "Const:99999999999", "../../etc/passwd", "w:-1", "PyFunc", "loc:@x")
ERRORS = (OpError, ValueError, TypeError, KeyError, OSError, RuntimeError, NotImplementedError, DecodeError)
INTEGERS = (
    Field.TYPE_INT32, Field.TYPE_INT64, Field.TYPE_UINT32, Field.TYPE_UINT64, Field.TYPE_FIXED32, Field.TYPE_ENUM,
)  # fmt: skip


def graph_model(folder: Path) -> None:
    """Variables of both kinds and in parts, a table of a file, a loop and a branch, under two signatures."""
    words = folder.parent / "words.txt"
    words.write_text("a\nb\nc\n")
    with tf.Graph().as_default(), tf.Session() as sess:
        path = tf.constant(str(words))
        tf.add_to_collection(tf.GraphKeys.ASSET_FILEPATHS, path)
        x, k = tf.placeholder(tf.float32, [None, 3], name="x"), tf.placeholder(tf.string, [None], name="k")
        w, r = tf.get_variable("w", [3, 4]), tf.get_variable("r", [4], use_resource=True)
        parts = tf.get_variable("p", [6, 2], partitioner=tf.fixed_size_partitioner(2))
        y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.nn.relu(a) - 1.0), [0, tf.matmul(x, w) + r])[1]
        y = tf.cond(tf.reduce_sum(y) > 0, lambda: y, lambda: -y)
        ids = tf.contrib.lookup.index_table_from_file(path, num_oov_buckets=2).lookup(k)
        e = tf.nn.embedding_lookup(tf.convert_to_tensor(parts), tf.minimum(ids, 5))
        sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
        builder = tf.saved_model.builder.SavedModelBuilder(str(folder))
        signature = tf.saved_model.signature_def_utils.predict_signature_def
        builder.add_meta_graph_and_variables(
            sess, ["serve"], {"rows": signature({"x": x}, {"y": y}), "words": signature({"k": k}, {"e": e})},
            assets_collection=tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS), main_op=tf.tables_initializer(),
        )  # fmt: skip
        builder.save()


def object_model(folder: Path) -> None:
    """Variables in a list and a dictionary, and a function with a loop and a branch."""
    model: Any = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0, 3.0]))
    model.held = [tf.Variable(1.0), {"a": tf.Variable([[2.0]])}]

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def called(x: Any) -> dict[str, Any]:
        x = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a - model.v), [0, x])[1]
        return {"y": tf.cond(tf.reduce_sum(x) > 0, lambda: x, lambda: x * model.held[0])}

    model.called = called
    tf.saved_model.save(model, str(folder), signatures=called)


def messages_of(message: Any) -> list[Any]:
    """The messages inside of one, itself too."""
    found = [message]
    for field, value in message.ListFields():
        if field.type != Field.TYPE_MESSAGE:
            continue
        if not field.is_repeated:
            found += messages_of(value)
        elif not field.message_type.GetOptions().map_entry:
            for item in value:
                found += messages_of(item)
        elif field.message_type.fields_by_name["value"].type == Field.TYPE_MESSAGE:
            for key in value:
                found += messages_of(value[key])
    return found


def change(message: Any, draw: random.Random) -> None:
    """Change one field of a message."""
    fields = message.ListFields()
    if not fields:
        return
    field, value = draw.choice(fields)
    if draw.random() < 0.15:
        message.ClearField(field.name)
    elif not field.is_repeated:
        if field.type != Field.TYPE_MESSAGE:
            setattr(message, field.name, other(field, value, draw))
    elif field.type == Field.TYPE_MESSAGE and field.message_type.GetOptions().map_entry:
        del value[draw.choice(sorted(value))]
    elif draw.random() < 0.3:
        del value[draw.randrange(len(value))]
    elif field.type == Field.TYPE_MESSAGE:
        draw.choice((value.add(), draw.choice(value))).CopyFrom(draw.choice(value))
    else:
        value.append(other(field, draw.choice(value), draw))


def other(field: Any, value: Any, draw: random.Random) -> Any:
    """A value that a field may hold in the place of ``value``."""
    if field.type in INTEGERS:
        least, most = (0, 2**32 - 1) if field.type in (Field.TYPE_UINT32, Field.TYPE_FIXED32) else (-(2**31), 2**31 - 1)
        if field.type in (Field.TYPE_INT64, Field.TYPE_UINT64):
            least, most = (-(2**63), 2**63 - 1) if field.type == Field.TYPE_INT64 else (0, 2**64 - 1)
        return draw.choice([n for n in (*NUMBERS, value) if least <= n <= most])
    if field.type == Field.TYPE_STRING:
        return draw.choice((*WORDS, value[:-1], value + "_1"))
    if field.type == Field.TYPE_BYTES:
        return damaged(value, draw)
    return draw.choice((0.0, -1.0, float("nan"), 1e38)) if field.type != Field.TYPE_BOOL else not value


def damaged(content: bytes, draw: random.Random) -> bytes:
    """The bytes with some changed, or without their end."""
    changed = bytearray(content)
    if not changed or draw.random() < 0.3:
        return bytes(changed[: draw.randrange(len(changed) + 1)])
    for _ in range(draw.choice((1, 2, 8))):
        changed[draw.randrange(len(changed))] = draw.randrange(256)
    return bytes(changed)


def damage(folder: Path, draw: random.Random) -> None:
    """Change what describes the graph, or the bytes of one file."""
    if draw.random() < 0.7:
        file = folder / "saved_model.pb"
        saved = saved_model_class().FromString(file.read_bytes())
        inside = messages_of(saved)
        for _ in range(draw.choice((1, 1, 2, 4))):
            change(draw.choice(inside), draw)
        file.write_bytes(saved.SerializeToString())
    else:
        file = draw.choice(sorted(p for p in folder.rglob("*") if p.is_file()))
        file.write_bytes(damaged(file.read_bytes(), draw))


def use_graph(folder: Path) -> None:
    values = {"x": np.ones([2, 3], np.float32), "k": np.array([b"a", b"?"], object)}
    with tf.Graph().as_default(), tf.Session() as sess:
        meta = tf.saved_model.loader.load(sess, ["serve"], str(folder))
        for signature in meta.signature_def.values():
            feeds = {tensor.name: values.get(key, 1) for key, tensor in signature.inputs.items()}
            sess.run([tensor.name for tensor in signature.outputs.values()], feeds)


def use_objects(folder: Path) -> None:
    model = tf.compat.v2.saved_model.load(str(folder))
    called = getattr(model, "called", None)  # or it has another name now
    if callable(called):
        called(tf.ones([2, 3]))


def main(seed: int, count: int) -> None:
    tf.logging.set_verbosity(tf.logging.FATAL)
    draw, seen = random.Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        whole, changed = Path(name) / "whole", Path(name) / "changed"
        whole.mkdir()
        graph_model(whole / "graph")
        tf.enable_eager_execution()
        object_model(whole / "objects")
        uses = {"graph": use_graph, "objects": use_objects}
        for kind, use in uses.items():
            use(whole / kind)
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        for _ in range(count):
            signal.alarm(30)
            kind = draw.choice(sorted(uses))
            shutil.rmtree(changed, ignore_errors=True)
            shutil.copytree(whole / kind, changed)
            damage(changed, draw)
            try:
                uses[kind](changed)
                seen["loaded"] += 1
            except ERRORS as error:
                seen[type(error).__name__] += 1
            signal.alarm(0)
    print(dict(seen))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
