"""Checkpoints: TensorFlow's restore here, ours are its own byte for byte, and damage is told."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from memory_taken import let_megabytes_be_large, most_memory

from retrograd import tf
from retrograd.files import bundles, snappy, tables, varints
from retrograd.graph import errors

GOLDEN = Path(__file__).parent / "golden" / "checkpoints"
RECORD = json.loads(GOLDEN.with_suffix(".json").read_text())


@pytest.fixture(autouse=True)
def sess():
    with tf.Graph().as_default(), tf.Session() as sess:
        yield sess


def recorded(entry):
    """A recorded tensor as the reader gives it."""
    dtype, values = tf.as_dtype(entry["dtype"]), entry["values"]
    if dtype == tf.string:
        flat = np.array([v.encode("latin-1") for v in values] + [None], object)[:-1]
    elif dtype.is_complex:
        flat = np.array([complex(*v) for v in values], dtype.np)
    else:
        flat = np.array(values, dtype.np)
    return flat.reshape(entry["shape"])[()]


def variables(old=False, zero=False):
    """The variables that were recorded, with their values or with others."""
    found = {}
    for name, entry in RECORD["contents"]["all"].items():
        if name == "cut/w" or (old and name in ("float16", "uint16", "bfloat16")):
            continue
        value = recorded(entry)
        if zero:
            value = np.full(np.shape(value), b"", object) if entry["dtype"] == "string" else np.zeros_like(value)
        value = tf.constant(value, tf.as_dtype(entry["dtype"]))
        found[name] = tf.Variable(value, name=name, use_resource=name == "resource")
    with tf.variable_scope("cut", partitioner=tf.fixed_size_partitioner(3)):
        whole = tf.constant(recorded(RECORD["contents"]["all"]["cut/w"]) * (not zero))
        found["cut/w"] = tf.get_variable("w", initializer=whole)
    return found


def same(a, b):
    return np.array_equal(np.asarray(a), np.asarray(b)) and np.shape(a) == np.shape(b)


# -- TensorFlow's checkpoints ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["all", "old", "sharded"])
def test_reader_gives_what_was_recorded(name):
    reader = tf.train.NewCheckpointReader(str(GOLDEN / name))
    for key, entry in RECORD["contents"][name].items():
        value = reader.get_tensor(key)
        assert same(value, recorded(entry)), key
        assert reader.get_variable_to_dtype_map()[key].name == entry["dtype"]
        assert reader.get_variable_to_shape_map()[key] == entry["shape"]
        assert reader.has_tensor(key)
    assert not reader.has_tensor("nope")


@pytest.mark.parametrize("name", ["all", "old"])
def test_recorded_checkpoints_restore(sess, name):
    wanted = variables(old=name == "old", zero=True)
    tf.train.Saver().restore(sess, str(GOLDEN / name))
    for key, variable in wanted.items():
        assert same(sess.run(tf.convert_to_tensor(variable)), recorded(RECORD["contents"]["all"][key])), key


def test_written_checkpoint_is_the_recorded_one_byte_for_byte(sess, tmp_path):
    variables()
    sess.run(tf.global_variables_initializer())
    tf.train.Saver().save(sess, str(tmp_path / "all"), write_meta_graph=False, write_state=False)
    assert sorted(os.listdir(tmp_path)) == ["all.data-00000-of-00001", "all.index"]
    for file in os.listdir(tmp_path):
        assert (tmp_path / file).read_bytes() == (GOLDEN / file).read_bytes()


def test_sharded_checkpoint_is_the_recorded_one_byte_for_byte(sess, tmp_path):
    for i in range(2):
        with tf.device(f"/cpu:{i}"):
            tf.Variable([float(i), 2.0], name=f"v{i}")
    sess.run(tf.global_variables_initializer())
    saver = tf.train.Saver(sharded=True)
    path = saver.save(sess, str(tmp_path / "sharded"), write_meta_graph=False, write_state=False)
    files = sorted(os.listdir(tmp_path))
    assert files == ["sharded.data-00000-of-00002", "sharded.data-00001-of-00002", "sharded.index"]
    for file in files:
        assert (tmp_path / file).read_bytes() == (GOLDEN / file).read_bytes()
    saver.restore(sess, path)


def test_old_format_restores_what_it_wrote(sess, tmp_path):
    wanted = variables(old=True)
    sess.run(tf.global_variables_initializer())
    saver = tf.train.Saver(write_version=tf.train.SaverDef.V1)
    path = saver.save(sess, str(tmp_path / "old"))
    with tf.Session() as other:
        saver.restore(other, path)
        for key, variable in wanted.items():
            assert same(other.run(tf.convert_to_tensor(variable)), recorded(RECORD["contents"]["all"][key])), key


# -- what is wrong with a checkpoint -----------------------------------------------------------

DAMAGE = {
    "magic": (".index", lambda b: b[:-1] + b"\x00"),
    "block": (".index", lambda b: b[:20] + bytes([b[20] ^ 0x55]) + b[21:]),
    "cut index": (".index", lambda b: b[:100]),
    "empty index": (".index", lambda b: b""),
    "cut data": (".data-00000-of-00001", lambda b: b[:50]),
    "data": (".data-00000-of-00001", lambda b: bytes(x ^ 0x55 for x in b)),
    "no data": (".data-00000-of-00001", None),
}


def copied(folder):
    for suffix in (".index", ".data-00000-of-00001"):
        shutil.copy(f"{GOLDEN / 'all'}{suffix}", f"{folder}/model{suffix}")
    return f"{folder}/model"


@pytest.mark.parametrize("name", DAMAGE)
@pytest.mark.parametrize("tensor", ["float32", "text"])
def test_damage_is_told_in_tensorflows_words(tmp_path, name, tensor):
    suffix, change = DAMAGE[name]
    prefix = copied(tmp_path)
    path = Path(prefix + suffix)
    path.unlink() if change is None else path.write_bytes(change(path.read_bytes()))
    kind, message = RECORD["damaged"][f"{name}, {tensor}"]
    with pytest.raises(errors.OpError) as caught:
        tf.train.NewCheckpointReader(prefix).get_tensor(tensor)
    assert type(caught.value).__name__ == kind
    assert caught.value.message.split("\n")[0] == message.replace("FOLDER", str(tmp_path))
    assert str(path) in caught.value.message


@pytest.mark.parametrize("name", ["shape", "dtype", "name", "slice"])
def test_unfit_variable_is_told_and_nothing_is_half_restored(sess, name):
    before = tf.Variable([[1.0]], name="float64", dtype=tf.float64, validate_shape=False)
    if name == "slice":
        with tf.variable_scope("cut", partitioner=tf.fixed_size_partitioner(2)):
            tf.get_variable("w", (6, 4))
    else:
        value = {"shape": np.zeros([2, 2], np.float32), "dtype": np.zeros([3, 2]), "name": 1.0}[name]
        tf.Variable(value, name="scalars" if name == "name" else "float32")
    sess.run(tf.global_variables_initializer())
    kind, message = RECORD["unfit"][name]
    with pytest.raises(errors.OpError) as caught:
        tf.train.Saver().restore(sess, str(GOLDEN / "all"))
    assert type(caught.value).__name__ == kind
    assert caught.value.message.startswith(message.rstrip())
    assert same(sess.run(before), [[1.0]])


def test_missing_tensor_is_told_with_the_nearest(sess):
    tf.Variable(1.0, name="scalars")
    with pytest.raises(errors.NotFoundError) as caught:
        tf.train.Saver().restore(sess, str(GOLDEN / "all"))
    assert "Key scalars not found in checkpoint" in str(caught.value)
    assert "tf.train.Saver({'scalar': variable, ...})" in str(caught.value)


def test_missing_checkpoint_is_told(sess):
    tf.Variable(1.0)
    saver = tf.train.Saver()
    for path, words in (("/nowhere/model", "not a valid checkpoint"), (None, "when it is None")):
        with pytest.raises(ValueError, match=words):
            saver.restore(sess, path)
    with pytest.raises(errors.NotFoundError) as caught:
        tf.train.NewCheckpointReader("/nowhere/model")
    assert caught.value.message == RECORD["missing"][1]


def test_no_damage_does_more_than_raise(tmp_path):
    """Any bytes in place of others end in the value that was saved, or in one of the errors of ``tf.errors``."""
    draw = random.Random(0)
    prefix = copied(tmp_path)
    whole = {s: Path(prefix + s).read_bytes() for s in (".index", ".data-00000-of-00001")}
    old = (GOLDEN / "old").read_bytes()
    for _ in range(300):
        for suffix, content in (*whole.items(), ("", old)):
            changed = bytearray(content)
            for _ in range(draw.randint(1, 3)):
                changed[draw.randrange(len(changed))] = draw.randrange(256)
            if draw.random() < 0.3:
                del changed[draw.randrange(len(changed)) :]
            Path(prefix + suffix).write_bytes(bytes(changed))
        if draw.random() < 0.5:
            Path(prefix + ".index").unlink()
        try:
            reader = tf.train.NewCheckpointReader(prefix)
            for name in reader.get_variable_to_shape_map():
                reader.get_tensor(name)
        except errors.OpError:
            pass


def test_hostile_entries_raise(tmp_path):
    """Entries that a checksum protects may still say anything."""
    draw = random.Random(1)
    prefix = copied(tmp_path)
    rows = list(tables.entries_of(Path(prefix + ".index").read_bytes()))
    for _ in range(300):
        changed = []
        for key, row in rows:
            row = bytearray(row)
            if row and draw.random() < 0.5:
                row[draw.randrange(len(row))] = draw.choice([0, 1, 0x7F, 0xFF, draw.randrange(256)])
            changed.append((key, bytes(row)))
        Path(prefix + ".index").write_bytes(tables.table(changed))
        try:
            reader = tf.train.NewCheckpointReader(prefix)
            for name in reader.get_variable_to_shape_map():
                with suppress(errors.OpError):
                    reader.get_tensor(name)
        except errors.OpError:
            pass


def test_slices_that_overlap_or_have_another_shape_raise(tmp_path):
    """Slices that are counted twice must not stand for what is missing."""
    prefix, left = str(tmp_path / "model"), np.ones([2, 3])
    with bundles.Writer(prefix) as writer:
        writer.add_slice(b"w", (4, 3), ((0, 2), (0, 3)), left)
        writer.add_slice(b"w", (4, 3), ((1, 2), (0, 3)), left)
    with pytest.raises(errors.InternalError, match="Overlapping slices: existing slice = 0,2:0,3, new slice = 1,2:0,3"):
        tf.train.load_variable(prefix, "w")
    with bundles.Writer(prefix) as writer:
        writer.add_slice(b"w", (4, 3), ((0, 2), (0, 3)), left)
        writer.add_slice(b"w", (4, 3), ((2, 2), (0, 3)), left)
        key = bundles.slice_key(b"w", ((2, 2), (0, 3)))
        del writer.entries[key].shape.dim[1]
        writer.entries[key].shape.dim[0].size = 6
    with pytest.raises(errors.DataLossError, match="slices do not cover it"):
        tf.train.load_variable(prefix, "w")


# -- the saver ---------------------------------------------------------------------------------


def test_only_the_last_ones_are_kept(sess, tmp_path):
    v = tf.Variable(1.0, name="v")
    sess.run(v.initializer)
    saver = tf.train.Saver(max_to_keep=2)
    paths = [saver.save(sess, str(tmp_path / "m"), global_step=i) for i in range(4)]
    assert saver.last_checkpoints == paths[2:]
    assert [tf.train.checkpoint_exists(p) for p in paths] == [False, False, True, True]
    assert tf.train.latest_checkpoint(str(tmp_path)) == paths[3]
    state = tf.train.get_checkpoint_state(str(tmp_path))
    assert list(state.all_model_checkpoint_paths) == paths[2:]
    again = tf.train.Saver(max_to_keep=2)
    again.recover_last_checkpoints(state.all_model_checkpoint_paths)
    again.save(sess, str(tmp_path / "m"), global_step=4)
    assert not tf.train.checkpoint_exists(paths[2])
    assert len(tf.train.get_checkpoint_mtimes(paths)) == 1
    assert not [name for name in os.listdir(tmp_path) if "temp" in name]


def test_one_of_every_so_many_hours_is_kept(sess, tmp_path):
    v = tf.Variable(1.0, name="v")
    sess.run(v.initializer)
    saver = tf.train.Saver(max_to_keep=1, keep_checkpoint_every_n_hours=0.2 / 3600)
    first = saver.save(sess, str(tmp_path / "m"), 0)
    time.sleep(0.3)
    second = saver.save(sess, str(tmp_path / "m"), 1)
    saver.save(sess, str(tmp_path / "m"), 2)
    assert not tf.train.checkpoint_exists(first)
    assert tf.train.checkpoint_exists(second)


def test_partial_and_renamed_restore(sess, tmp_path):
    a, b = tf.Variable(1.0, name="a"), tf.Variable(2.0, name="b")
    sess.run(tf.global_variables_initializer())
    path = tf.train.Saver({"x": a, "y": b}).save(sess, str(tmp_path / "m"))
    assert tf.train.list_variables(path) == [("x", []), ("y", [])]
    assert tf.train.load_variable(str(tmp_path), "y") == 2.0
    sess.run([a.assign(5.0), b.assign(6.0)])
    tf.train.Saver({"y": a}).restore(sess, path)
    assert sess.run([a, b]) == [2.0, 6.0]


def test_variables_begin_with_a_checkpoint(sess, tmp_path):
    with tf.variable_scope("new"):
        v = tf.get_variable("scalar", [])
        w = tf.get_variable("cut/w", [5, 4], partitioner=tf.fixed_size_partitioner(2))
    tf.train.init_from_checkpoint(str(GOLDEN / "all"), {"/": "new/"})
    sess.run(tf.global_variables_initializer())
    assert sess.run(v) == 1.5
    assert same(sess.run(tf.convert_to_tensor(w)), np.arange(20).reshape(5, 4))
    with pytest.raises(ValueError, match="is not found in"):
        tf.train.init_from_checkpoint(str(GOLDEN / "all"), {"nope": v})


def test_saver_is_restored_from_its_proto(sess, tmp_path):
    v = tf.Variable(3.0, name="v")
    sess.run(v.initializer)
    saver = tf.train.Saver()
    path = saver.save(sess, str(tmp_path / "m"))
    sess.run(v.assign(0.0))
    tf.train.Saver(saver_def=saver.as_saver_def()).restore(sess, path)
    assert sess.run(v) == 3.0
    assert saver.to_proto("elsewhere") is None


def test_graph_stands_beside_the_values(sess, tmp_path):
    from tensorboard.compat.proto.meta_graph_pb2 import MetaGraphDef

    v = tf.Variable(3.0, name="v")
    tf.add_to_collection("numbers", 7)
    sess.run(v.initializer)
    path = tf.train.Saver().save(sess, str(tmp_path / "m"))
    meta = MetaGraphDef.FromString(Path(f"{path}.meta").read_bytes())
    assert [n.name for n in meta.graph_def.node] == [op.name for op in tf.get_default_graph().get_operations()]
    assert meta.saver_def.restore_op_name == "save/restore_all"
    assert list(meta.collection_def["numbers"].int64_list.value) == [7]
    assert len(meta.collection_def["variables"].bytes_list.value) == 1


def test_nothing_to_save(sess, tmp_path):
    with pytest.raises(ValueError, match="No variables to save"):
        tf.train.Saver()
    assert tf.train.Saver(allow_empty=True).save(sess, str(tmp_path / "m"), write_meta_graph=False) is None


def test_missing_folder(sess, tmp_path):
    v = tf.Variable(1.0)
    sess.run(v.initializer)
    with pytest.raises(ValueError, match="doesn't exist, can't save"):
        tf.train.Saver().save(sess, str(tmp_path / "a" / "b" / "m"))


def test_reading_from_disk_needs_little_more_memory_than_the_variable(tmp_path):
    import tracemalloc

    value = np.arange(1 << 22, dtype=np.float32)
    with bundles.Writer(str(tmp_path / "m")) as writer:
        writer.add(b"v", value)
    tracemalloc.start()
    try:
        assert same(bundles.Reader(str(tmp_path / "m")).tensor(b"v"), value)
        assert tracemalloc.get_traced_memory()[1] < 1.3 * value.nbytes
    finally:
        tracemalloc.stop()


def test_restoring_the_old_format_needs_little_more_memory_than_the_variables(sess, tmp_path):
    import tracemalloc

    values = {f"v{i:02}": np.full(1 << 18, i, np.float32) for i in range(16)}
    variables = {name: tf.Variable(value, name=name) for name, value in values.items()}
    sess.run(tf.global_variables_initializer())
    path = tf.train.Saver(variables, write_version=tf.train.SaverDef.V1).save(sess, str(tmp_path / "m"))
    tracemalloc.start()
    try:
        reader = tf.train.NewCheckpointReader(path)
        found = {name: reader.get_tensor(name) for name in values}
        assert tracemalloc.get_traced_memory()[1] < 1.3 * sum(value.nbytes for value in values.values())
    finally:
        tracemalloc.stop()
    assert all(same(found[name], value) for name, value in values.items())


PROGRAM = """
import os, sys
import numpy as np
from retrograd.files.bundles import Writer
from retrograd.io.checkpoint_files import update_checkpoint_state
folder = sys.argv[1]
for line in sys.stdin:
    if child := os.fork():
        os.waitpid(child, 0)
        print("gone", flush=True)
        continue
    print(os.getpid(), flush=True)
    for i in range(int(line), 10**6):
        with Writer(f"{folder}/m-{i}") as writer:
            writer.add(b"v", np.full(50000, i, np.int64))
        update_checkpoint_state(folder, f"{folder}/m-{i}")
        if i == int(line):
            print("saved", flush=True)
"""


def test_killed_while_saving_the_latest_checkpoint_is_whole(tmp_path):
    """A hundred times, each time at another moment."""
    draw, step = random.Random(2), -1
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        for _ in range(100):
            process.stdin.write(f"{step + 1}\n")
            process.stdin.flush()
            child = int(process.stdout.readline())
            assert process.stdout.readline() == "saved\n"
            time.sleep(draw.random() / 20)
            os.kill(child, signal.SIGKILL)
            assert process.stdout.readline() == "gone\n"
            latest = tf.train.latest_checkpoint(str(tmp_path))
            before, step = step, int(latest.rpartition("-")[2])
            assert step > before
            assert same(tf.train.load_variable(latest, "v"), np.full(50000, step))
        process.stdin.close()


def test_full_disk_loses_nothing_older(sess, tmp_path, monkeypatch):
    v = tf.Variable(1.0, name="v")
    sess.run(v.initializer)
    saver = tf.train.Saver()
    path = saver.save(sess, str(tmp_path / "m"))
    files = {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)}
    sess.run(v.assign(2.0))

    def full(file):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(errors.ResourceExhaustedError, match="No space left on device"):
            saver.save(sess, path)
    assert {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)} == files
    saver.restore(sess, path)
    assert sess.run(v) == 1.0


def test_exported_scope(sess):
    x = tf.constant(1.0, name="x")
    with tf.name_scope("part"):
        tf.Variable(x, name="v")
    meta = tf.train.export_meta_graph(export_scope="part")
    assert [n.name for n in meta.graph_def.node] == ["v", "v/Assign", "v/read"]
    assert list(meta.graph_def.node[1].input) == ["v", "$unbound_inputs_x"]
    assert list(meta.collection_def["unbound_inputs"].bytes_list.value) == [b"$unbound_inputs_x"]


def test_reshape_takes_other_shapes_of_as_many_elements(sess, tmp_path):
    v = tf.Variable(np.arange(6.0), name="v")
    sess.run(v.initializer)
    path = tf.train.Saver().save(sess, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.Session() as other:
        w = tf.Variable(np.zeros([2, 3]), name="v")
        tf.train.Saver(reshape=True).restore(other, path)
        assert same(other.run(w), np.arange(6.0).reshape(2, 3))


def test_waiting_for_a_checkpoint(sess, tmp_path):
    assert tf.contrib.training.wait_for_new_checkpoint(str(tmp_path), timeout=0.1, seconds_to_sleep=0.05) is None
    v = tf.Variable(1.0, name="v")
    sess.run(v.initializer)
    path = tf.train.Saver().save(sess, str(tmp_path / "m"))
    assert list(tf.train.checkpoints_iterator(str(tmp_path), timeout=0)) == [path]


# -- the formats -------------------------------------------------------------------------------


def test_numbers_sort_as_their_ordered_codes_do():
    values = sorted({0, 1, -1, 63, 64, -64, -65, 2**31, -(2**31), 2**62, -(2**62), *(3**i for i in range(38))})
    codes = [varints.ordered_signed(v) for v in values]
    assert codes == sorted(codes)
    texts = sorted([b"", b"a", b"\x00", b"\x00\xff", b"\xff", b"\xff\x00", b"ab", b"a\x00b"])
    assert [varints.ordered_text(t) for t in texts] == sorted(varints.ordered_text(t) for t in texts)


@pytest.mark.parametrize("value", [0, 1, 127, 128, 300, 2**32, 2**64 - 1])
def test_varints(value):
    assert varints.read_varint(varints.varint(value) + b"x", 0) == (value, len(varints.varint(value)))


def test_tables_of_many_blocks():
    rows = [(f"key {i:06d}".encode(), bytes([i % 256]) * (i % 300)) for i in range(5000)]
    assert list(tables.entries_of(tables.table(rows))) == rows


@pytest.mark.parametrize("keys", [[b"a", b"a"], [b"b", b"a"], [b"k" * 4000 + b"%03d" % i for i in range(900)]])
def test_keys_out_of_order_or_that_claim_memory_are_lost(keys, monkeypatch):
    monkeypatch.setattr(tables, "_INTERVAL", 10_000)
    with pytest.raises(errors.DataLossError, match=r"keys out of order|keys too long"):
        list(tables.entries_of(tables.table((key, b"") for key in keys)))


def test_snappy():
    assert snappy.decompressed(b"\x0b\x04ab" + bytes([(9 - 4) << 2 | 1, 2])) == b"ababababab" + b"a"
    with pytest.raises(errors.DataLossError):
        snappy.decompressed(b"\x0b\x04ab")


def test_of_two_saves_at_once_the_one_begun_later_is_the_latest(tmp_path):
    tf.Variable(1.0, name="v")
    saver = tf.train.Saver()
    entered, may_go_on = threading.Event(), threading.Event()

    class Slow:
        def __init__(self, sess):
            self.graph, self.sess = sess.graph, sess

        def run(self, *args):
            entered.set()
            may_go_on.wait()
            return self.sess.run(*args)

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        first = threading.Thread(target=saver.save, args=(Slow(sess), str(tmp_path / "m"), 1))
        second = threading.Thread(target=saver.save, args=(sess, str(tmp_path / "m"), 2))
        first.start()
        entered.wait()
        second.start()
        may_go_on.set()
        first.join()
        second.join()
    assert tf.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "m-2")


def test_restoring_over_values_needs_little_memory(sess, tmp_path, monkeypatch):
    let_megabytes_be_large(monkeypatch)
    variables = [tf.get_variable(f"v{i}", [1 << 20], use_resource=i == 0) for i in range(3)]
    saver = tf.train.Saver(variables)
    sess.run(tf.global_variables_initializer())
    before = [np.array(x) for x in sess.run(variables)]
    path = saver.save(sess, str(tmp_path / "m"))
    saver.restore(sess, path)  # imports and plans are there
    sess.run([v.assign(tf.zeros_like(v)) for v in variables])
    assert most_memory(lambda: saver.restore(sess, path)) < 1.2 * sum(x.nbytes for x in before)
    assert all(same(x, y) for x, y in zip(sess.run(variables), before, strict=True))


@pytest.mark.parametrize("shape", [[1 << 20], [5]])
def test_large_values_stay_if_a_checkpoint_is_unfit_or_damaged(sess, tmp_path, monkeypatch, shape):
    let_megabytes_be_large(monkeypatch)
    v = tf.get_variable("v", shape)
    with bundles.Writer(str(tmp_path / "m")) as writer:
        writer.add(b"v", np.ones(1 << 20, np.float32))
    if shape == [1 << 20]:
        data = tmp_path / "m.data-00000-of-00001"
        data.write_bytes(data.read_bytes()[:-4] + b"\1\2\3\4")
    large = tf.get_variable("large", [1 << 20])
    sess.run(tf.global_variables_initializer())
    before = sess.run([v, large])
    with bundles.Writer(str(tmp_path / "n")) as writer:
        writer.add(b"large", np.ones(1 << 20, np.float32))
    for path, variables in (("m", [v]), ("n", [large, v])):
        with pytest.raises(errors.OpError):
            tf.train.Saver(variables).restore(sess, str(tmp_path / path))
    assert all(same(x, y) for x, y in zip(sess.run([v, large]), before, strict=True))


def test_paths_may_begin_with_their_scheme(sess, tmp_path):
    v = tf.Variable(3.0, name="v")
    saver, path = tf.train.Saver(), f"file://{tmp_path}/m"
    sess.run(v.initializer)
    assert saver.save(sess, path) == path
    assert sorted(f.name for f in tmp_path.iterdir()) == ["checkpoint", "m.data-00000-of-00001", "m.index", "m.meta"]
    assert 'model_checkpoint_path: "m"' in (tmp_path / "checkpoint").read_text()
    sess.run(v.assign(0.0))
    saver.restore(sess, tf.train.latest_checkpoint(f"file://{tmp_path}"))
    assert sess.run(v) == tf.train.load_variable(path, "v") == 3
    assert tf.train.latest_checkpoint(str(tmp_path)) == f"{tmp_path}/m"
    with tf.Graph().as_default():
        assert tf.train.import_meta_graph(f"{path}.meta") is not None
