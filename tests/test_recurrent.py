"""Cells, decoders, attention and linear-chain fields against TensorFlow 1.15.5: ``golden/recurrent.json.gz``."""

import numpy as np
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


def test_a_step_of_beam_search_can_be_taken_alone():
    from retrograd.tf.contrib.seq2seq.python.ops import beam_search_decoder as beams

    with tf.Graph().as_default(), tf.Session() as session:
        state = beams.BeamSearchDecoderState(
            cell_state=tf.constant([[[1.0], [2.0]]]), log_probs=tf.constant([[-1.0, -2.0]]),
            finished=tf.constant([[False, True]]), lengths=tf.constant([[2, 1]], tf.int64),
            accumulated_attention_probs=(),
        )  # fmt: skip
        logits = tf.constant([[[0.0, 1.0, 3.0], [9.0, 9.0, 9.0]]])
        output, after = beams._beam_search_step(2, logits, state.cell_state, state, tf.constant(1), 2, 0, 0.0, 0.0)
        ids, parents, cells, lengths, finished = session.run(
            [output.predicted_ids, output.parent_ids, after.cell_state, after.lengths, after.finished]
        )
        assert ids.tolist() == [[2, 0]]
        assert parents.tolist() == [[0, 1]]
        assert cells.tolist() == [[[1.0], [2.0]]]
        assert lengths.tolist() == [[3, 1]]
        assert finished.tolist() == [[False, True]]
        masked = session.run(beams._mask_probs(logits, 0, np.array([[False, True]])))
        assert masked[0, 1].tolist() == [0.0, np.finfo(np.float32).min, np.finfo(np.float32).min]


def test_the_gradient_of_the_second_block_is_its_derivative() -> None:
    rng = np.random.default_rng(0)
    shapes = [(5, 2, 3), (2, 4), (2, 4), (7, 16), (4,), (4,), (4,), (16,)]
    names = ["x", "cs_prev", "h_prev", "w", "wci", "wcf", "wco", "b"]
    values = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    direction = rng.standard_normal(16).astype(np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        given = {name: tf.placeholder(tf.float32, shape) for name, shape in zip(names, shapes, strict=True)}
        h = tf.raw_ops.BlockLSTMV2(seq_len_max=tf.constant(5, tf.int64), cell_clip=0.0, **given).h
        (db,) = tf.gradients(h, given["b"])
        total = tf.reduce_sum(tf.cast(h, tf.float64))

        def at(step: float) -> dict[tf.Tensor, np.ndarray]:
            return dict(zip(given.values(), [*values[:-1], values[-1] + np.float32(step) * direction], strict=True))

        slope = (session.run(total, at(1e-2)) - session.run(total, at(-1e-2))) / 2e-2
        assert session.run(db, at(0.0)) @ direction == pytest.approx(slope, rel=5e-3)
