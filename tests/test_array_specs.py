"""``TensorArray``s as elements of datasets; numbers recorded from TensorFlow 1.15.5."""

from __future__ import annotations

import pytest

from retrograd import tf


def _drained(dataset: tf.data.Dataset, of=lambda x: x) -> list:
    iterator, found = dataset.make_initializable_iterator(), []
    following = of(iterator.get_next())
    with tf.Session() as session:
        session.run(iterator.initializer)
        while True:
            try:
                found.append(session.run(following).tolist())
            except tf.errors.OutOfRangeError:
                return found


def _counted(i):
    i = tf.cast(i, tf.int32)
    return tf.TensorArray(tf.int32, element_shape=(), size=i).unstack(tf.range(i))


@pytest.fixture(autouse=True)
def _graph():
    with tf.Graph().as_default():
        yield


def test_a_function_of_elements_gives_arrays_and_takes_them():
    arrays = tf.data.Dataset.range(4).map(_counted)
    assert arrays.element_spec.is_compatible_with(tf.TensorArraySpec([], tf.int32))
    assert _drained(arrays.map(lambda x: x.stack() * 2)) == [[], [0], [0, 2], [0, 2, 4]]


def test_an_iterator_gives_arrays():
    assert _drained(tf.data.Dataset.range(3).flat_map(lambda i: tf.data.Dataset.from_tensors(_counted(i))),
                    lambda x: x.stack()) == [[], [0], [0, 1]]  # fmt: skip


def test_a_scan_carries_an_array():
    start = tf.TensorArray(tf.int64, size=0, element_shape=[], dynamic_size=True).write(0, -1)
    scanned = tf.data.experimental.scan(start, lambda array, x: (array.write(array.size(), x), array.stack()))
    assert _drained(tf.data.Dataset.range(3).apply(scanned)) == [[-1], [-1, 0], [-1, 0, 1]]


def test_specs_of_arrays():
    spec = tf.TensorArraySpec([2], tf.float32)
    assert repr(spec) == "TensorArraySpec(TensorShape([Dimension(2)]), tf.float32, False, True)"
    assert [spec.is_compatible_with(tf.TensorArraySpec(*other)) for other in (
        ([None],), ([3],), ([2], tf.int32), ([2], tf.float32, True))] == [True, False, False, False]  # fmt: skip
    with pytest.raises(ValueError, match=r"^Types are not compatible$"):
        spec.most_specific_compatible_type(tf.TensorArraySpec([3]))
    assert spec._to_legacy_output_shapes() == tf.TensorShape([0, 1, 2])


def test_structures_of_elements_that_differ_are_told_in_tensorflows_words():
    from retrograd.data import nest

    with pytest.raises(ValueError, match=r'Substructure "type=tuple str=\(1, 2\)" is a sequence, while substructure'):
        nest.assert_same_structure(((1, 2), 3, 4), ("a", "b"))
    with pytest.raises(ValueError, match=r"^The two structures don't have the same nested structure\.\n\nFirst str"):
        nest.map_structure(lambda x, y: x, (1, 2), (1, 2, 3))
    assert nest.map_structure(lambda x, y: x + y, {"a": 1}, (2,), check_types=False) == {"a": 3}
