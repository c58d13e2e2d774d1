"""Ragged tensors as elements of datasets; batches whose elements fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retrograd import tf

ROWS = [[[1, 2], [3]], [[]], [], [[4], [5, 6]]]


def _ragged() -> Any:
    return tf.ragged.constant(ROWS)


def _slices() -> tf.data.Dataset:
    return tf.data.Dataset.from_tensor_slices(_ragged())


def _ranges(i: tf.Tensor) -> Any:
    return tf.ragged.range(tf.stack([i, i + 1]))


def _elements(dataset: tf.data.Dataset) -> list[Any]:
    following = tf.data.make_one_shot_iterator(dataset).get_next()
    found = []
    with tf.Session() as session:
        while True:
            try:
                found.append(session.run(following))
            except tf.errors.OutOfRangeError:
                return found


MADE: dict[str, tuple[Callable[[], tf.data.Dataset], str, list[Any]]] = {
    "whole": (lambda: tf.data.Dataset.from_tensors(_ragged()), "(4, ?, ?)", [ROWS]),
    "whole, batched": (
        lambda: tf.data.Dataset.from_tensors(_ragged()).repeat(2).batch(2), "(?, 4, ?, ?)", [[ROWS, ROWS]],
    ),
    "rows": (_slices, "(?, ?)", ROWS),
    "rows, mapped and batched": (
        lambda: _slices().map(lambda x: x * 2).batch(3), "(?, ?, ?)",
        [[[[2, 4], [6]], [[]], []], [[[8], [10, 12]]]],
    ),
    "rows, unbatched": (lambda: _slices().batch(3).apply(tf.data.experimental.unbatch()), "(?, ?)", ROWS),
    "made by a function": (lambda: tf.data.Dataset.range(2).map(_ranges), "(2, ?)", [[[], [0]], [[0], [0, 1]]]),
    "made and batched": (
        lambda: tf.data.Dataset.range(4).map(_ranges).batch(2), "(?, 2, ?)",
        [[[[], [0]], [[0], [0, 1]]], [[[0, 1], [0, 1, 2]], [[0, 1, 2], [0, 1, 2, 3]]]],
    ),
    "dense inside": (
        lambda: tf.data.Dataset.from_tensors(tf.ragged.constant([[[1, 2]], []], ragged_rank=1)).batch(1),
        "(?, 2, ?, 2)", [[[[[1, 2]], []]]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_elements(name: str) -> None:
    make, shape, want = MADE[name]
    with tf.Graph().as_default():
        dataset = make()
        assert f"shapes: {shape}," in repr(dataset)
        assert [x.to_list() for x in _elements(dataset)] == want


def test_what_the_graph_holds() -> None:
    with tf.Graph().as_default() as graph:
        following = tf.data.make_one_shot_iterator(_slices()).get_next()
        assert isinstance(following, tf.RaggedTensor)
        encode, slices, decode = (
            graph.get_operation_by_name(name)
            for name in (
                "RaggedToVariant/RaggedTensorToVariant", "TensorSliceDataset",
                "RaggedFromVariant/RaggedTensorFromVariant",
            )
        )  # fmt: skip
        assert [t.name for t in encode.inputs] == [
            "RaggedConstant/Const_1:0", "RaggedConstant/Const:0", "RaggedConstant/values:0",
        ]  # fmt: skip
        assert (encode.get_attr("batched_input"), encode.get_attr("RAGGED_RANK")) == (True, 2)
        assert list(slices.inputs) == [encode.outputs[0]]
        assert encode.outputs[0].shape.as_list() == [4]
        assert (decode.get_attr("input_ragged_rank"), decode.get_attr("output_ragged_rank")) == (-1, 1)


def test_beside_other_parts() -> None:
    with tf.Graph().as_default():
        dataset = tf.data.Dataset.from_tensor_slices((_ragged(), [1, 2, 3, 4])).filter(lambda _, n: n > 2)
        assert [(x.to_list(), n) for x, n in _elements(dataset)] == [([], 3), (ROWS[3], 4)]


def test_a_row_that_is_not_ragged_has_no_form() -> None:
    with tf.Graph().as_default():
        dataset = tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3]]))
        with pytest.raises(ValueError, match="ragged_rank must be non-negative; got 0"):
            dataset.map(lambda x: x)


def test_an_element_that_fails_costs_its_batch_alone() -> None:
    def python(i: np.int64) -> np.int64:
        if i in (3, 4):
            raise StopIteration
        return i

    with tf.Graph().as_default(), tf.Session() as session:
        dataset = tf.data.Dataset.range(8).apply(
            tf.data.experimental.map_and_batch(lambda x: tf.py_func(python, [x], tf.int64), 2)
        )
        following = tf.data.make_one_shot_iterator(dataset).get_next()
        assert session.run(following).tolist() == [0, 1]
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError, match="Function invocation produced OutOfRangeError"):
                session.run(following)
        assert session.run(following).tolist() == [6, 7]
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(following)


def test_states_of_a_reducer_keep_their_dtype_and_may_grow() -> None:
    def reduced(step: Callable[..., Any]) -> tf.data.Dataset:
        reducer = tf.data.experimental.Reducer(lambda _: tf.constant([0], tf.int64), step, lambda x: x)
        return tf.data.Dataset.range(4).apply(tf.data.experimental.group_by_reducer(lambda x: x % 2, reducer))

    with tf.Graph().as_default():
        grown = reduced(lambda state, x: tf.concat([state, [x]], 0))
        assert grown.output_shapes.as_list() == [None]
        assert [x.tolist() for x in _elements(grown)] == [[0, 0, 2], [0, 1, 3]]
        with pytest.raises(TypeError, match="The element types for the new state must match the initial state"):
            reduced(lambda state, x: tf.constant([1]))


def test_arrays_are_told_apart_and_padding_is_checked() -> None:
    with tf.Graph().as_default():
        rows = tf.data.Dataset.from_tensor_slices([[1, 1], [2, 2], [1, 1]])
        assert [x.tolist() for x in _elements(rows.apply(tf.data.experimental.unique()))] == [[1, 1], [2, 2]]
        with pytest.raises(tf.errors.InvalidArgumentError, match="Dimension -5 must be >= -1"):
            _elements(rows.padded_batch(2, padded_shapes=tf.constant([5], tf.int64) * -1))


def test_parts_that_are_unbatched_have_as_many_rows() -> None:
    with tf.Graph().as_default():
        dataset = tf.data.Dataset.from_tensors((tf.zeros([2]), tf.zeros([3])))
        words = "Cannot unbatch an input whose components have different batch sizes"
        with pytest.raises(ValueError, match=words):
            dataset.apply(tf.data.experimental.unbatch())
        with pytest.raises(ValueError, match=words):
            dataset.unbatch()
        with pytest.raises(ValueError, match=r"Padded shape .* must be a 1-D tensor of tf\.int64 values"):
            dataset.padded_batch(2, ([[1]], [3]))
