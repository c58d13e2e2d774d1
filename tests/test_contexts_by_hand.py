"""What programs that put graphs into graphs ask of contexts, collections and conversions, as TensorFlow Hub does."""

from __future__ import annotations

import pytest

from retrograd import tf
from retrograd.tf.python.ops import control_flow_ops


def test_a_context_brings_values_in() -> None:
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x, seen = tf.constant(3.0), []

        def brought_in() -> tf.Tensor:
            context = graph._get_control_flow_context()
            seen.append(context.AddValue(x))
            assert context.AddValue(x) is seen[-1]
            return seen[-1]

        powers = tf.while_loop(lambda i, _: i < 2, lambda i, y: (i + 1, y * brought_in()), [0, 1.0])
        chosen = tf.cond(tf.constant(True), lambda: brought_in() * 2.0, lambda: 1.0)
        assert [t.name for t in seen] == ["while/Enter_2:0", "cond/Switch_1:1"]
        assert session.run([powers[1], chosen]) == [9, 6]


def test_a_context_is_entered_and_left() -> None:
    with tf.Graph().as_default() as graph:
        context = control_flow_ops.WhileContext(name="loop")
        context.Enter()
        assert graph._get_control_flow_context() is context
        context.Exit()
        assert graph._get_control_flow_context() is None


def test_only_collections_named_by_texts_are_listed() -> None:
    with tf.Graph().as_default() as graph:
        for name in (("private",), "a", "__b"):
            graph.add_to_collection(name, 1)
        assert graph.get_all_collection_keys() == ["a", "__b"]


def test_a_sparse_tensor_stays_one_beside_indexed_slices() -> None:
    with tf.Graph().as_default():
        sparse = tf.SparseTensor([[0, 0]], [1], [2, 2])
        assert tf.convert_to_tensor_or_indexed_slices(sparse) is sparse
        with pytest.raises(ValueError, match="requested dtype float32 for Tensor with dtype int32"):
            tf.convert_to_tensor_or_indexed_slices(sparse, tf.float32)
