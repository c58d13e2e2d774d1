"""Sequences in segments whose states are carried along: ``golden/sequence_state.json.gz``."""

import numpy as np
import pytest
from golden import sequence_state_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("sequence_state")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.parametrize("name", sequence_state_cases.CASES)
def test_as_recorded(name):
    check(sequence_state_cases, name, GOLDEN[name], nodes=False)


def test_a_network_trains_over_segments_until_the_sequences_end():
    keys = tf.train.string_input_producer(["a", "b", "c"], shuffle=False, num_epochs=1).dequeue()
    x = tf.fill([5, 3], tf.cast(tf.strings.length(keys), tf.float32))
    batch = tf.contrib.training.batch_sequences_with_states(
        keys, {"x": x}, {}, None, {"c": tf.zeros([4]), "h": tf.zeros([4])}, num_unroll=2, batch_size=2
    )
    cell, names = tf.nn.rnn_cell.BasicLSTMCell(4), tf.nn.rnn_cell.LSTMStateTuple("c", "h")
    steps = [tf.squeeze(t, 1) for t in tf.split(batch.sequences["x"], 2, 1)]
    outputs, _ = tf.nn.static_state_saving_rnn(cell, steps, batch, names, sequence_length=batch.length)
    loss = tf.reduce_sum(outputs[-1] ** 2)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.train.MonitoredSession() as sess:
        seen = []
        while not sess.should_stop():
            seen += sess.run([batch.key, train])[0].tolist()
    assert sorted(seen) == sorted(b"%05d_of_00003:%s" % (i, k) for i in range(3) for k in (b"a", b"b", b"c"))


def test_no_elements_of_a_barrier_have_its_shapes():
    barrier = tf.contrib.training.SequenceQueueingStateSaver(
        tf.placeholder_with_default(0, []), 2, 2, "k", {"x": tf.zeros([2, 3])}, {}, {"s": 0.0}
    )
    with tf.Session() as sess:
        assert sess.run(barrier.next_batch.sequences["x"]).shape == (0, 2, 3)


def test_a_meta_graph_makes_its_folder(tmp_path):
    tf.constant(np.float32(1.0), name="a")
    path = tmp_path / "new" / "graph.meta"
    assert tf.train.export_meta_graph(str(path)).graph_def.node[0].name == "a"
    assert path.exists()
