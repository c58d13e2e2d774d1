"""What programs that put graphs into graphs ask of contexts, collections and conversions, as TensorFlow Hub does."""

from __future__ import annotations

from typing import Any

import pytest

from retrograd import tf
from retrograd.tf.python.ops import control_flow_ops
from retrograd.tf.python.ops import control_flow_util as util


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


def test_blocks_are_found_from_inside() -> None:
    """Recorded from TensorFlow 1.15.5, of a branch in a loop."""
    seen: dict[str, list[bool]] = {}

    def body(i: Any) -> Any:
        loop = i.op.graph._get_control_flow_context()

        def add() -> Any:
            branch = i.op.graph._get_control_flow_context()
            seen["loops"] = [util.GetContainingWhileContext(c) is loop for c in (loop, branch, None)]
            seen["stopped"] = [util.GetContainingWhileContext(branch, branch) is branch]
            seen["branches"] = [util.GetContainingCondContext(c) is branch for c in (branch, loop, None)]
            seen["compiled"] = [util.GetContainingXLAContext(c) is not None for c in (branch, None)]
            pairs = ((branch, loop), (loop, branch), (loop, loop))
            seen["inside"] = [util.IsContainingContext(*pair) for pair in pairs]
            seen["ops"] = [util.OpInContext(i.op, loop), util.OpInContext(i.op, branch), util.IsInXLAContext(i.op)]
            return i + 1

        return tf.cond(i > 0, add, lambda: i + 2)

    tf.while_loop(lambda i: i < 3, body, [0])
    assert seen == {
        "loops": [True, True, False], "stopped": [True], "branches": [True, False, False],
        "compiled": [False, False], "inside": [True, False, True], "ops": [True, False, False],
    }  # fmt: skip
