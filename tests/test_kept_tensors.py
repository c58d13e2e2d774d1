"""Tensors that stay in a session between runs: under handles, in staging areas by key; records that come for ever."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.io import plugin_assets
from retrograd.tf.python.ops import data_flow_ops


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    with tf.Graph().as_default():
        yield


def test_a_handle_is_fed_where_its_tensor_is_wanted() -> None:
    x = tf.constant([1.0, 2.0])
    y = x * 10.0
    with tf.Session() as sess:
        handle = sess.run(tf.get_session_handle(y))
        assert str(handle) == "GetSessionHandle;0;/job:localhost/replica:0/task:0/device:CPU:0"
        np.testing.assert_array_equal(handle.eval(), [10, 20])
        holder, kept = tf.get_session_tensor(handle.handle, tf.float32)
        assert holder.device == "/job:localhost/replica:0/task:0/device:CPU:0"
        np.testing.assert_array_equal(sess.run(kept + 1, {holder: handle.handle}), [11, 21])
        np.testing.assert_array_equal(sess.run(y, {x: handle}), [100, 200])
        handle.delete()
        with pytest.raises(tf.errors.InvalidArgumentError, match="is not in the session store"):
            sess.run(kept, {holder: handle.handle})


def test_a_tensor_goes_with_its_handle_unless_the_text_was_asked_for() -> None:
    with tf.Session() as sess:
        op = tf.get_session_handle(tf.constant(3))
        text = sess.run(op).handle  # the handle itself is gone
        holder, kept = tf.get_session_tensor(text, tf.int32)
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(kept, {holder: text})
        raw = sess.run(op).get_raw_handle()
        assert sess.run(kept, {holder: raw}) == 3
        holder, delete = tf.delete_session_tensor(raw)
        sess.run(delete, {holder: raw})
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(delete, {holder: raw})


def test_texts_that_are_fed_are_bytes() -> None:
    words = tf.placeholder(tf.string, [2])
    with tf.Session() as sess:
        assert sess.run(tf.identity(words), {words: np.array(["a", "ä"], object)}).tolist() == [b"a", "ä".encode()]


@pytest.mark.parametrize("ordered", [False, True])
def test_tuples_are_staged_by_key(ordered: bool) -> None:
    area = data_flow_ops.MapStagingArea([tf.float32, tf.int32], names=["x", "n"], ordered=ordered)
    k, x, n = tf.placeholder(tf.int64), tf.placeholder(tf.float32), tf.placeholder(tf.int32)
    put_x, put_n = area.put(k, {"x": x}), area.put(k, {"n": n})
    counts = [area.size(), area.incomplete_size()]
    with tf.Session() as sess:
        for key in (5, 2):
            sess.run(put_x, {k: key, x: key / 2})
        assert sess.run(counts) == [0, 2]
        for key in (5, 2):
            sess.run(put_n, {k: key, n: key})
        assert sess.run(counts) == [2, 0]
        assert sess.run(area.peek(k), {k: 5}) == {"x": 2.5, "n": 5}
        first = 2 if ordered else 5
        assert sess.run(area.get()) == (first, {"x": first / 2, "n": first})
        left = 7 - first
        assert sess.run(area.get(k, ["n"]), {k: left}) == (left, {"n": left})
        with pytest.raises(tf.errors.InvalidArgumentError, match="has already been removed"):
            sess.run(area.get(k, ["n"]), {k: left})
        sess.run(area.clear())
        assert sess.run(counts) == [0, 0]


def test_bad_components_of_a_staged_tuple() -> None:
    area = data_flow_ops.MapStagingArea([tf.float32])
    with pytest.raises(ValueError, match="Indices must be supplied"):
        area.put(1, [tf.constant(1.0)])
    with pytest.raises(ValueError, match="Datatypes do not match"):
        area.put(1, [tf.constant(1)], [0])
    with pytest.raises(ValueError, match="was not created with names"):
        area.get(1, ["x"])


def test_records_come_in_epochs(tmp_path: Path) -> None:
    """Each record once in an epoch, in an order of its own."""
    for i in range(4):
        with tf.python_io.TFRecordWriter(str(tmp_path / f"f.{i}")) as writer:
            for j in range(5):
                writer.write(b"%d" % (i * 5 + j))
    batches = data_flow_ops.RecordInput(str(tmp_path / "f.*"), batch_size=2, buffer_size=7, batches=2, shift_ratio=0.3)
    op = batches.get_yield_op()
    epochs: list[Any] = []
    with tf.Session() as sess:
        for _ in range(2):
            found = [record for _ in range(5) for batch in sess.run(op) for record in batch]
            assert sorted(map(int, found)) == list(range(20))
            epochs.append(found)
        assert epochs[0] != epochs[1]
        with pytest.raises(tf.errors.NotFoundError, match="Found no files at"):
            sess.run(data_flow_ops.RecordInput(str(tmp_path / "none.*")).get_yield_op())


def test_fingerprints_are_tensorflows() -> None:
    """As TensorFlow 1.15.5 gave them; a row of several texts is hashed by the hashes of these."""
    with tf.Session() as sess:
        numbers = sess.run(tf.fingerprint(np.arange(10, dtype=np.int64)[None]))
        assert numbers.tolist() == [[54, 187, 147, 162, 180, 40, 37, 24]]
        words = sess.run(tf.fingerprint(["a", "bc", ""]))
        assert words.tolist() == [
            [227, 117, 223, 182, 101, 66, 69, 179],
            [119, 129, 82, 223, 68, 160, 90, 83],
            [79, 64, 144, 47, 59, 106, 225, 154],
        ]
        rows = sess.run(tf.fingerprint([["a", "b"], ["c", "d"]]))
        assert rows.tolist() == [[122, 64, 59, 169, 136, 60, 55, 83], [52, 252, 224, 38, 64, 226, 155, 60]]
        with pytest.raises(tf.errors.InvalidArgumentError, match="Unsupported fingerprint method: md5"):
            sess.run(tf.fingerprint([1], method="md5"))


def test_files_of_plugins_are_written_beside_the_graph(tmp_path: Path) -> None:
    from retrograd.tf.python.summary import plugin_asset

    class Notes(plugin_asset.PluginAsset):  # type: ignore[misc]
        plugin_name = "notes"

        def assets(self) -> dict[str, Any]:
            return {"a.txt": "hello", "b": b"\x00"}

    class Others(Notes):
        pass

    notes = plugin_asset.get_plugin_asset(Notes)
    assert plugin_asset.get_plugin_asset(Notes) is notes
    with pytest.raises(ValueError, match="Plugin name collision between classes Others and Notes"):
        plugin_asset.get_plugin_asset(Others)
    plugin_assets.write_plugin_assets(tf.get_default_graph(), str(tmp_path))
    assert (tmp_path / "plugins" / "notes" / "a.txt").read_text() == "hello"
    assert (tmp_path / "plugins" / "notes" / "b").read_bytes() == b"\x00"
