"""Values as text and as messages: ``print_op``, ``HParams.to_proto``; as TensorFlow 1.15.5 prints and writes them."""

from __future__ import annotations

from typing import Any

import pytest

from retrograd import tf
from retrograd.tf.contrib.distributions.python.ops.distribution_util import move_dimension
from retrograd.tf.contrib.framework.python.ops.prettyprint_ops import print_op

WRITTEN = [
    ({"a": 3}, b"\n\x07\n\x01a\x12\x02\x08\x03"),
    ({"b": [2.5, 1.0]}, b"\n\x11\n\x01b\x12\x0c*\n\n\x08\x00\x00 @\x00\x00\x80?"),
    ({"c": "x"}, b"\n\x08\n\x01c\x12\x03\x1a\x01x"),
    ({"d": [True, False]}, b"\n\x0b\n\x01d\x12\x06B\x04\n\x02\x01\x00"),
    ({"e": ["p", "q"]}, b"\n\r\n\x01e\x12\x082\x06\n\x01p\n\x01q"),
    ({"f": 1.5}, b"\n\n\n\x01f\x12\x05\x15\x00\x00\xc0?"),
    ({"g": [1, 300]}, b'\n\x0c\n\x01g\x12\x07"\x05\n\x03\x01\xac\x02'),
]


@pytest.mark.parametrize(("values", "content"), WRITTEN)
def test_hyperparameters_are_written_and_read(values: dict[str, Any], content: bytes) -> None:
    written = tf.contrib.training.HParams(**values).to_proto()
    assert written.SerializeToString() == content
    assert tf.contrib.training.HParams.from_proto(written).values() == values


def test_hyperparameters_without_a_type_are_not_written() -> None:
    with pytest.raises(ValueError, match="Unsupported parameter type: <class 'NoneType'>"):
        tf.contrib.training.HParams(a=None).to_proto()


def test_print_op_says_what_a_tensor_is(capfd: pytest.CaptureFixture[str]) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        numbers = print_op(tf.constant([0, 3, 1]), [tf.constant([False, True], name="b")], "see: ")
        entries = print_op(tf.SparseTensor([[0, 1]], [2.0], [1, 3]))
        steps = tf.TensorArray(tf.float32, 2).unstack([[1.0], [2.0]])
        assert sess.run(numbers).tolist() == [0, 3, 1]
        assert sess.run(entries).values.tolist() == [2.0]
        assert sess.run(print_op(steps).stack()).tolist() == [[1.0], [2.0]]
    assert capfd.readouterr().err.splitlines() == [
        "see: [Name: Const:0][Type: Tensor (int32)][Shape: [Dimension(3)]][Value:][0 3 1][Name: b:0]"
        "[Type: Tensor (bool)][Shape: [Dimension(2)]][First True in Boolean tensor at:][1][Value:][0 1]",
        "[Type: SparseTensor (float32)][Shape:][1 3][Sparse indices:][[0 1]][Sparse values:][2]",
    ]
    with pytest.raises(ValueError, match="input_ must be of type Tensor, SparseTensor or TensorArray"):
        print_op(None)


@pytest.mark.parametrize(("source", "to", "shape"), [(0, 2, [3, 4, 2]), (2, 0, [4, 2, 3]), (-1, 0, [4, 2, 3])])
def test_an_axis_moves(source: int, to: int, shape: list[int]) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.zeros([2, 3, 4])
        assert move_dimension(x, source, to).shape.as_list() == shape
        unknown = tf.placeholder_with_default(x, None)
        assert sess.run(tf.shape(move_dimension(unknown, source, to))).tolist() == shape


def test_a_lookup_that_adds_up_where_the_parts_are() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        table = [tf.constant([[1.0], [3.0]]), tf.constant([[2.0], [4.0]])]
        ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 2, 3], tf.int64), [2, 2])
        found = tf.contrib.slim.embedding_lookup_sparse_with_distributed_aggregation(table, ids, None, combiner="sum")
        assert sess.run(found).tolist() == [[5.0], [4.0]]
