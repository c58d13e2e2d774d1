"""Cells, decoders, attention and linear-chain fields against TensorFlow 1.15.5: ``golden/recurrent.json.gz``."""

import pytest
from golden import recurrent_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("recurrent")


@pytest.mark.parametrize("name", recurrent_cases.CASES)
def test_as_recorded(name):
    want = GOLDEN[name]
    has_loop = any("/b_count" in node["name"] for node in want.get("nodes", []))  # whose gradient has our own nodes
    check(recurrent_cases, name, want, nodes=not has_loop, collections=True)


@pytest.mark.parametrize(
    ("parents", "place"),
    [([0, 0, 0, 0, -1, 1, 2, 1, 2], "-1 at (batch, time, beam) == (0, 0, 1)"),
     ([0, 0, 0, 5, 1, 2, 0, 1, 7], "5 at (batch, time, beam) == (0, 0, 0)")],
)  # fmt: skip
def test_an_invalid_parent_is_named_by_the_beam_that_leads_to_it(parents, place):
    """The words of TensorFlow 1.15.5: the first final beam, and the step that would have been read."""
    steps = tf.reshape(tf.range(9), [3, 1, 3])
    tree = tf.contrib.seq2seq.gather_tree(steps, tf.constant(parents, shape=[3, 1, 3]), [3], 10)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(tree)
    assert f"Saw invalid parent id {place}" in str(caught.value)


def test_a_parent_that_no_beam_leads_to_is_not_read():
    """As in TensorFlow 1.15.5, whose result this is."""
    steps = tf.reshape(tf.range(9), [3, 1, 3])
    parents = tf.constant([0, 0, 0, 0, -1, 1, 2, 0, 2], shape=[3, 1, 3])
    with tf.Session() as session:
        tree = session.run(tf.contrib.seq2seq.gather_tree(steps, parents, [3], 10))
    assert tree.tolist() == [[[1, 0, 1]], [[5, 3, 5]], [[6, 7, 8]]]


def test_samples_of_the_inner_module_of_helpers_by_logits_and_probabilities():
    """The draws of TensorFlow 1.15.5."""
    from retrograd.tf.contrib.seq2seq.python.ops import helper

    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        by_logits = helper.bernoulli_sample(logits=tf.constant([-9.0, 0, 9.0, 1.0]), sample_shape=3, seed=2)
        by_probs = helper.bernoulli_sample([0.5, 0.5], seed=3)
        got = [x.tolist() for x in session.run([by_logits, by_probs])]
    assert got == [[[0, 0, 1, 1], [0, 1, 1, 1], [0, 1, 1, 1]], [0, 0]]


@pytest.mark.parametrize("cell", [None, 3, tf.Graph])
def test_what_is_no_cell_is_refused_in_the_words_of_the_inner_module(cell):
    from retrograd.tf.python.ops import rnn_cell_impl

    with pytest.raises(TypeError, match=rnn_cell_impl.ASSERT_LIKE_RNNCELL_ERROR_REGEXP):
        tf.contrib.rnn.AttentionCellWrapper(cell, 2)
