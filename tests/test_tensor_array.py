"""``TensorArray``, ``map_fn``, ``scan`` and the folds, against TensorFlow 1.15.5 (``golden/tensor_arrays.json.gz``)."""

import gzip
import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from golden import effect_cases, tensor_array_cases
from recorded_cases import nodes_of

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.ops.control import with_dependencies

GOLDEN = json.loads(gzip.decompress((Path(__file__).parent / "golden" / "tensor_arrays.json.gz").read_bytes()))


def error_of(error):
    text = str(error).split("\n\t [[")[0].split("\n  Why:")[0]
    return [type(error).__name__, _unnumbered(text)]


def _unnumbered(text):
    """Without the number of an array of a process, and without what shape rules have read."""
    return re.sub(r" and with (input tensors )?computed .*", ".", re.sub(r"(TensorArray \w+)_\d+", r"\1", text))


def _by_name(nodes, with_gradients):
    """The nodes in no order: what brings a tensor into a loop stands before its reader, in TensorFlow behind it."""
    if not with_gradients:  # of loops they are other nodes, and so is what a loop keeps for them
        nodes = [n for n in nodes if n["op"] != "LoopHistory" and not n["name"].startswith("gradients")]
    return {n["name"]: n for n in nodes}


@pytest.mark.parametrize("name", tensor_array_cases.CASES, ids=lambda name: name[:80])
def test_as_recorded(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = effect_cases.outcome(tf, np, tensor_array_cases.CASES[name], nodes_of, error_of)
    got, want = json.loads(json.dumps(got)), GOLDEN[name]
    assert got.get("error") == ([want["error"][0], _unnumbered(want["error"][1])] if "error" in want else None)
    with_gradients = not name.startswith("loop gradient")
    if "error" not in want:
        assert _by_name(got["nodes"], with_gradients) == _by_name(want["nodes"], with_gradients)
    for (kind, shape, ours), (their_kind, their_shape, theirs) in zip(
        got.get("values", []), want.get("values", []), strict=True
    ):
        assert (kind, shape) == (their_kind, their_shape)
        if "float" in kind:
            np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)
        else:
            assert ours == theirs


def test_a_state_holds_what_was_written_on_the_way_to_it():
    """TensorFlow's states share one buffer, so that a control dependency is enough to see a write."""
    with tf.Graph().as_default(), tf.Session() as sess:
        empty = tf.TensorArray(tf.float32, 2, element_shape=[], clear_after_read=False)
        written = empty.write(0, 5.0)
        with tf.control_dependencies([written.flow]):
            unseen = empty.read(0)
        twice = empty.write(0, 7.0)
        assert sess.run([written.read(0), unseen, twice.read(0)]) == [5.0, 0.0, 7.0]


def test_arrays_have_second_derivatives():
    """TensorFlow's gradients share buffers by the name of the call, and a second derivative misses them."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant([2.0, 3.0])
        y = tf.TensorArray(tf.float32, 2).unstack(x).stack() ** 4
        for _ in range(3):
            (y,) = tf.gradients(y, x, name="derivative")
        np.testing.assert_allclose(sess.run(y), [48.0, 72.0], rtol=1e-6)


def test_an_unused_write_is_nobodys_concern(caplog):
    with tf.Graph().as_default():
        tf.TensorArray(tf.float32, 2).write(0, 1.0).mark_used()
        tf.TensorArray(tf.float32, 2).write(0, 1.0)
    assert not caplog.records


def test_older_states_stay_what_they_were():
    """A chain of writes and reads of every state on the way, in any order."""
    with tf.Graph().as_default(), tf.Session() as sess:
        states = [tf.TensorArray(tf.float32, 0, dynamic_size=True, infer_shape=False, clear_after_read=False)]
        for i in range(5):
            states.append(states[-1].write(i, float(i)))
        branch = states[2].write(2, 9.0)
        sizes = [state.size() for state in states]
        stacked = [state.stack() for state in (states[5], states[1], branch, states[3])]
        got, lengths = sess.run([stacked, sizes])
        assert [list(v) for v in got] == [[0, 1, 2, 3, 4], [0], [0, 1, 9], [0, 1, 2]]
        assert lengths == [0, 1, 2, 3, 4, 5]


def test_a_cluster_is_this_process():
    workers, servers = tf.test.create_local_cluster(2, 1)
    assert (len(workers), len(servers)) == (2, 1)
    with tf.Graph().as_default(), tf.Session(workers[1].target) as sess:
        assert sess.run(tf.constant(3)) == 3


def test_where_ops_run_at_once_an_array_is_read_as_a_whole_and_written_again():
    with eager_mode():
        empty = tf.TensorArray(tf.float32, size=3, element_shape=[])
        array = empty.scatter([1, 2], tf.constant([1.0, 2.0]))
        assert array.stack().numpy().tolist() == array.stack().numpy().tolist() == [0.0, 1.0, 2.0]
        assert array.read(1).numpy() == 1.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="Could not read index 1 twice"):
            array.read(1)
        assert array.stack().numpy().tolist() == [0.0, 0.0, 2.0]
        assert empty.unstack([3.0, 4.0, 5.0]).read(1).numpy() == 4.0


def test_where_ops_run_at_once_nothing_is_mapped_to_nothing():
    with eager_mode():
        words = tf.map_fn(lambda x: tf.constant(""), tf.constant([]), dtype=tf.string)
        assert (words.dtype, words.shape.as_list()) == (tf.string, [0])


def test_where_ops_run_at_once_dependencies_have_run():
    with eager_mode():
        assert with_dependencies(tf.constant(1), tf.constant(2)).numpy() == 2


@pytest.mark.parametrize("tier", ["never", "always"])
def test_gradients_of_one_source_are_one_array_in_both_tiers(tier, monkeypatch):
    monkeypatch.setenv("RETROGRAD_JIT", tier)
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [])
        array = tf.TensorArray(tf.float32, 2).write(0, x)
        one = array.grad("mine").write(0, 3.0 * x)
        with tf.control_dependencies([one.flow]):
            both = array.grad("mine").write(0, 4.0 * x)
        total = both.read(0)
        assert [sess.run(total, {x: v}) for v in (1.0, 2.0, 3.0)] == [7.0, 14.0, 21.0]
