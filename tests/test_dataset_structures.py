"""Structures of elements that are seldom: iterators of other shapes, datasets in lists, sparse states; as recorded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from retrograd import tf

COMPATIBLE = {  # with the shapes of iterators, what TensorFlow takes of these shapes of datasets
    (): [(), None],
    (3,): [(3,), (None,), None],
    (None,): [(3,), (None,), None],
    (3, None): [None, (3, 4), (None, None)],
    (2,): [(None,), None],
}


@pytest.mark.parametrize("shape", COMPATIBLE)
def test_an_iterator_takes_datasets_of_compatible_shapes(shape: Any) -> None:
    for other in ((), (3,), (None,), None, (3, 4), (None, None)):
        with tf.Graph().as_default():
            iterator = tf.data.Iterator.from_structure(tf.int64, tf.TensorShape(shape))
            dataset = tf.data.Dataset.from_generator(lambda: iter([]), tf.int64, tf.TensorShape(other))
            if other in COMPATIBLE[shape]:
                iterator.make_initializer(dataset)
            else:
                with pytest.raises(TypeError, match=r"^Expected output shapes compatible with"):
                    iterator.make_initializer(dataset)


def test_elements_of_another_shape_than_the_iterator_said() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        iterator = tf.data.Iterator.from_structure(tf.float32, tf.TensorShape([3]))
        dataset = tf.data.Dataset.from_generator(lambda: iter([[1.0] * 3, [1.0] * 4]), tf.float32)
        total, three = tf.reduce_sum(iterator.get_next() * 2), iterator.get_next() + tf.ones([3])
        start = iterator.make_initializer(dataset)
        session.run(start)
        assert [session.run(total), session.run(total)] == [6.0, 8.0]
        session.run(start)
        assert session.run(three).tolist() == [2.0] * 3
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"^Incompatible shapes: \[4\] vs. \[3\]"):
            session.run(three)


def _elements(dataset: Any) -> list[int]:
    with tf.Session() as session:
        following = tf.data.make_one_shot_iterator(dataset).get_next()
        found = []
        while True:
            try:
                found.append(int(session.run(following)))
            except tf.errors.OutOfRangeError:
                return found


def test_datasets_in_a_list_are_one_value() -> None:
    with tf.Graph().as_default():
        ranges = [tf.data.Dataset.range(2), tf.data.Dataset.range(5, 8)]
        rows = tf.data.Dataset.from_tensor_slices(ranges)
        whole = tf.data.Dataset.from_tensors(ranges)
        assert rows.element_spec._dataset_shape.as_list() == []
        assert whole.element_spec._dataset_shape.as_list() == [2]
        assert _elements(rows.flat_map(lambda x: x)) == [0, 1, 5, 6, 7]
        assert _elements(rows.interleave(lambda x: x, cycle_length=2)) == [0, 5, 1, 6, 7]
        again = whole.flat_map(tf.data.Dataset.from_tensor_slices).flat_map(lambda x: x)
        assert _elements(again) == [0, 1, 5, 6, 7]
        with pytest.raises(ValueError, match=r"^Unbatching a dataset is only supported for rank >= 1"):
            tf.data.Dataset.from_tensor_slices((ranges[0], [1]))


def test_a_state_is_a_sparse_value() -> None:
    def sparse(i: Any) -> Any:
        return tf.SparseTensorValue(np.array([[0, 0]]), i * np.array([1]), np.array([1, 1]))

    with tf.Graph().as_default(), tf.Session() as session:
        dataset = tf.data.Dataset.range(1, 4).map(lambda i: {"n": i, "s": sparse(i)})
        first = {"n": tf.constant(0, tf.int64), "s": sparse(tf.constant(0, tf.int64))}
        found = session.run(dataset.reduce(first, lambda x, y: {"n": x["n"] + y["n"], "s": y["s"]}))
        assert (found["n"], found["s"].values.tolist()) == (6, [3])
        one = tf.data.Dataset.from_tensors(sparse(3)).reduce(sparse(0), lambda x, y: y)
        assert session.run(one).values.tolist() == [3]


def test_older_structures_go_both_ways() -> None:
    from retrograd.tf.python.data.util import sparse

    with tf.Graph().as_default(), tf.Session() as session:
        given = tf.SparseTensor([[0, 1]], [3.0], [2, 2]), tf.constant(1)
        classes = sparse.get_classes(given)
        assert classes == (tf.SparseTensor, tf.Tensor)
        assert sparse.any_sparse(classes)
        types = tf.float32, tf.int32
        shapes = tf.TensorShape([2, 2]), tf.TensorShape([])
        assert sparse.as_dense_types(types, classes) == (tf.variant, tf.int32)
        assert sparse.as_dense_shapes(shapes, classes)[0].ndims is None
        back = sparse.deserialize_sparse_tensors(sparse.serialize_sparse_tensors(given), types, shapes, classes)
        assert session.run(back[0]).values.tolist() == [3.0]
        assert sparse.serialize_many_sparse_tensors(given)[0].dtype == tf.variant


def test_a_shape_as_a_tensor() -> None:
    from retrograd.tf.python.data.util import convert

    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(convert.partial_shape_to_tensor((None, 3))).tolist() == [-1, 3]
        with pytest.raises(ValueError, match=r"The given shape \[\[1\]\] must be a 1-D tensor"):
            convert.partial_shape_to_tensor([[1]])
        with pytest.raises(ValueError, match="partially known TensorShape"):
            convert.partial_shape_to_tensor(None)
        assert session.run(convert.optional_param_to_tensor("a", None, 7)) == 7
