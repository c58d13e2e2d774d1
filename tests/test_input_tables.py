"""Rows of files and databases as datasets; elements that may be missing; iterators in checkpoints; barriers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.graph import errors
from retrograd.ops import barriers

experimental = tf.data.experimental


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    with tf.Graph().as_default():
        yield


def elements(dataset: Any, count: int = 100) -> list[Any]:
    iterator = dataset.make_initializable_iterator()
    element = iterator.get_next()
    found: list[Any] = []
    with tf.Session() as sess:
        sess.run(iterator.initializer)
        try:
            while len(found) < count:
                found.append(sess.run(element))
        except errors.OutOfRangeError:
            return found
    return found


@pytest.fixture
def files(tmp_path: Path) -> str:
    (tmp_path / "a.csv").write_text("a,b,c\n1,2.5,x\n3,4.5,y\n")
    (tmp_path / "b.csv").write_text('a,b,c\n5,6.5,z\n7,,"w,w"\n')
    return str(tmp_path / "*.csv")


def test_columns_of_files_are_found_and_batched(files: str) -> None:
    dataset = experimental.make_csv_dataset(files, 3, label_name="c", num_epochs=1, shuffle=False)
    assert [*dataset.output_types[0].values()] == [tf.int32, tf.float32]
    (first, labels), (second, last) = elements(dataset)
    np.testing.assert_array_equal(first["b"], [2.5, 4.5, 6.5])
    assert labels.tolist() == [b"x", b"y", b"z"]
    assert (second["a"].tolist(), second["b"].tolist(), last.tolist()) == ([7], [0.0], [b"w,w"])


def test_columns_are_chosen_by_name(files: str) -> None:
    dataset = experimental.make_csv_dataset(
        files, 2, select_columns=["c", "a"], column_defaults=[tf.int64, "none"], num_epochs=1, shuffle=False
    )
    assert [*dataset.output_types.items()] == [("a", tf.int64), ("c", tf.string)]
    assert elements(dataset, 1)[0]["a"].tolist() == [1, 3]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"column_names": ["a", "a", "c"]}, "duplicate column names"),
        ({"label_name": "d"}, "must be one of the columns"),
        ({"header": False}, "without a header"),
        ({"select_columns": [3]}, "out of range"),
    ],
)
def test_columns_that_cannot_be_are_told(files: str, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        experimental.make_csv_dataset(files, 2, **settings)


def test_examples_come_in_batches_of_features(tmp_path: Path) -> None:
    path = str(tmp_path / "examples")
    with tf.python_io.TFRecordWriter(path) as writer:
        for i in range(5):
            ids = tf.train.Feature(int64_list=tf.train.Int64List(value=range(i)))
            label = tf.train.Feature(int64_list=tf.train.Int64List(value=[i]))
            example = tf.train.Example(features=tf.train.Features(feature={"ids": ids, "label": label}))
            writer.write(example.SerializeToString())
    features = {"ids": tf.VarLenFeature(tf.int64), "label": tf.FixedLenFeature([], tf.int64)}
    dataset = experimental.make_batched_features_dataset(
        path, 2, features, label_key="label", num_epochs=1, shuffle=False
    )
    found = elements(dataset)
    assert [labels.tolist() for _, labels in found] == [[0, 1], [2, 3], [4]]
    assert found[1][0]["ids"].values.tolist() == [0, 1, 0, 1, 2]
    with pytest.raises(ValueError, match="must be one of the `features` keys"):
        experimental.make_batched_features_dataset(path, 2, features, label_key="other")


def test_rows_of_a_database(tmp_path: Path) -> None:
    path = str(tmp_path / "rows.db")
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE people (name TEXT, age INTEGER, height REAL)")
        database.executemany("INSERT INTO people VALUES (?, ?, ?)", [("Ann", 30, 1.7), ("Bo", None, 1.8)])
    query = "SELECT name, age, height FROM people ORDER BY height"
    rows = elements(experimental.SqlDataset("sqlite", path, query, (tf.string, tf.int32, tf.float64)))
    assert rows == [(b"Ann", 30, 1.7), (b"Bo", 0, 1.8)]
    with pytest.raises(errors.UnknownError, match="DROP"):
        elements(experimental.SqlDataset("sqlite", path, "DROP TABLE people", (tf.string,)))
    with pytest.raises(errors.InvalidArgumentError, match="not supported by SqlDataset"):
        elements(experimental.SqlDataset("other", path, query, (tf.string,)))
    with pytest.raises(errors.InvalidArgumentError, match="number of columns"):
        elements(experimental.SqlDataset("sqlite", path, query, (tf.string,)))


def test_unequal_elements_become_sparse_batches() -> None:
    dataset = tf.data.Dataset.range(4).map(lambda x: tf.fill([x], x))
    first, second = elements(dataset.apply(experimental.dense_to_sparse_batch(2, [None])))
    assert (first.dense_shape.tolist(), second.dense_shape.tolist()) == ([2, 1], [2, 3])
    assert second.indices.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1], [1, 2]]
    with pytest.raises(errors.DataLossError, match="larger than the row shape"):
        elements(dataset.apply(experimental.dense_to_sparse_batch(4, [2])))


def test_the_next_element_may_be_missing() -> None:
    optional = experimental.get_next_as_optional(tf.data.Dataset.range(1).make_one_shot_iterator())
    present, value = optional.has_value(), optional.get_value()
    given = experimental.Optional.from_value((1, 2.0))
    with tf.Session() as sess:
        assert sess.run([present, value]) == [True, 0]
        assert not sess.run(present)
        with pytest.raises(errors.InvalidArgumentError, match="does not have a value"):
            sess.run(value)
        assert sess.run(given.get_value()) == (1, 2.0)


def test_elements_are_added_up() -> None:
    optional, kind = experimental.Optional, type(experimental.Optional.from_value(1))
    inner = optional.from_value(3.0)
    one, two = optional.from_value((1.0, [2, 3])), optional.from_value((2.5, [1, 1]))
    none, nested = optional.none_from_structure(one.value_structure), optional.from_value(inner._variant_tensor)

    def parts(tensor: Any, like: Any) -> Any:
        return kind(tensor, like.value_structure)

    with tf.Session() as sess:
        added = parts(tf.add_n([one._variant_tensor, two._variant_tensor]), one).get_value()
        assert [v.tolist() for v in sess.run(added)] == [3.5, [3, 4]]
        zeros = parts(tf.zeros_like(two._variant_tensor), two).get_value()
        assert [v.tolist() for v in sess.run(zeros)] == [0.0, [0, 0]]
        assert not sess.run(parts(tf.zeros_like(none._variant_tensor), one).has_value())
        assert not sess.run(parts(tf.add_n([none._variant_tensor] * 2), one).has_value())
        assert sess.run(parts(parts(tf.zeros_like(nested._variant_tensor), nested).get_value(), inner).get_value()) == 0
        with pytest.raises(errors.InvalidArgumentError, match="because one has a value and the other doesn't"):
            sess.run(tf.add_n([none._variant_tensor, one._variant_tensor]))
        with pytest.raises(errors.InvalidArgumentError, match=r"different numbers of components \(2 vs. 1\)"):
            sess.run(tf.add_n([one._variant_tensor, inner._variant_tensor]))
        other = optional.from_value(([1.0, 2.0], [1, 1]))
        with pytest.raises(errors.InvalidArgumentError, match=r"One is \[\] and the other is \[2\]"):
            sess.run(tf.add_n([one._variant_tensor, other._variant_tensor]))


# -- iterators in checkpoints ------------------------------------------------------------------


def pipeline() -> tuple[Any, Any, Any]:
    """Shuffled without a seed, so that the order is in the checkpoint."""
    dataset = tf.data.Dataset.range(50).shuffle(20).map(lambda x: x * x).repeat(3).batch(4)
    iterator = dataset.make_initializable_iterator()
    saver = tf.train.Saver({"input": experimental.make_saveable_from_iterator(iterator)})
    return iterator, iterator.get_next(), saver


def test_an_iterator_continues_where_it_was_saved(tmp_path: Path) -> None:
    iterator, element, saver = pipeline()
    with tf.Session() as sess:
        sess.run(iterator.initializer)
        for _ in range(17):
            sess.run(element)
        path = saver.save(sess, str(tmp_path / "input"))
        behind = [sess.run(element) for _ in range(12)]
        saver.restore(sess, path)
        np.testing.assert_array_equal(behind, [sess.run(element) for _ in range(12)])
    with tf.Graph().as_default(), tf.Session() as sess:
        iterator, element, saver = pipeline()
        saver.restore(sess, path)
        np.testing.assert_array_equal(behind, [sess.run(element) for _ in range(12)])


def test_shuffles_that_have_not_begun_are_saved_too(tmp_path: Path) -> None:
    """Each iterator has an order of its own, which is known before the first element is asked for."""
    dataset = tf.data.Dataset.range(50).shuffle(50).repeat(2)
    iterators = [dataset.make_one_shot_iterator() for _ in range(2)]
    elements_ = [iterator.get_next() for iterator in iterators]
    saver = tf.train.Saver([experimental.make_saveable_from_iterator(iterator) for iterator in iterators])
    with tf.Session() as sess:
        path = saver.save(sess, str(tmp_path / "input"))
        behind = [sess.run(elements_) for _ in range(100)]
        saver.restore(sess, path)
        assert [sess.run(elements_) for _ in range(100)] == behind
    assert [first for first, _ in behind] != [second for _, second in behind]


def test_the_state_of_an_iterator_is_a_tensor_in_a_file(tmp_path: Path) -> None:
    from retrograd.graph.apply import apply
    from retrograd.ops.iterators import DESERIALIZE, SERIALIZE

    iterator = tf.data.Dataset.range(5).make_initializable_iterator()
    element, path = iterator.get_next(), str(tmp_path / "state")
    saved = tf.write_file(path, tf.serialize_tensor(apply(SERIALIZE, iterator._iterator_resource)))
    restored = apply(DESERIALIZE, iterator._iterator_resource, tf.parse_tensor(tf.read_file(path), tf.variant))
    with tf.Session() as sess:
        sess.run(iterator.initializer)
        assert [sess.run(element) for _ in range(2)] == [0, 1]
        sess.run(saved)
        assert [sess.run(element) for _ in range(3)] == [2, 3, 4]
        sess.run(restored)
        assert sess.run(element) == 2
        with pytest.raises(errors.InvalidArgumentError, match="Of variants only the state of an iterator"):
            sess.run(tf.serialize_tensor(tf.data.Dataset.range(5)._variant_tensor))


@pytest.mark.parametrize("method", ["repeat", "skip", "take", "shuffle", "batch", "prefetch", "window", "cache"])
def test_counts_are_single_numbers(method: str) -> None:
    dataset = tf.data.Dataset.range(3)
    with pytest.raises(ValueError, match=r"Shape must be rank 0 but is rank 1 for '\w+Dataset"):
        getattr(dataset, method)(["a", "b"] if method == "cache" else [1, 2])


def test_datasets_to_choose_from_are_of_one_kind() -> None:
    datasets = [tf.data.Dataset.range(3), tf.data.Dataset.from_tensors("a")]
    with pytest.raises(TypeError, match="All datasets must have the same type and class"):
        experimental.sample_from_datasets(datasets)


def test_an_exhausted_iterator_stays_exhausted(tmp_path: Path) -> None:
    iterator = tf.data.Dataset.range(2).make_one_shot_iterator()
    element = iterator.get_next()
    saver = tf.train.Saver([experimental.make_saveable_from_iterator(iterator)])
    with tf.Session() as sess:
        assert sess.run(element) == 0
        middle = saver.save(sess, str(tmp_path / "middle"))
        assert sess.run(element) == 1
        with pytest.raises(errors.OutOfRangeError):
            sess.run(element)
        end = saver.save(sess, str(tmp_path / "end"))
        saver.restore(sess, middle)
        assert sess.run(element) == 1
        saver.restore(sess, end)
        with pytest.raises(errors.OutOfRangeError):
            sess.run(element)


@pytest.mark.parametrize(
    "text", [b"", b"{}", b"[" * 10**5, b'{"begun_by": 1, "position": -1, "source": [1, 2]}', b"\xff"]
)
def test_a_damaged_state_of_an_iterator_is_told(text: bytes) -> None:
    from retrograd.graph.apply import apply
    from retrograd.ops.iterators import DESERIALIZE

    iterator = tf.data.Dataset.range(2).make_initializable_iterator()
    state = tf.placeholder(tf.variant, [])
    restored = apply(DESERIALIZE, iterator._iterator_resource, state)
    with tf.Session() as sess, pytest.raises(errors.InvalidArgumentError, match="no state of an iterator"):
        sess.run(restored, {state: text})


def test_tables_are_saved_by_a_list(tmp_path: Path) -> None:
    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, checkpoint=False)
    saver = tf.train.Saver([table])
    with tf.Session() as sess:
        sess.run(table.insert(["a", "b"], [1, 2]))
        path = saver.save(sess, str(tmp_path / "table"))
    with tf.Session() as sess:
        saver.restore(sess, path)
        assert sess.run(table.lookup(tf.constant(["a", "b", "c"]))).tolist() == [1, 2, -1]


def test_a_barrier_gives_elements_that_are_whole() -> None:
    barrier = barriers.Barrier((tf.float32, tf.int64), shapes=((2,), ()), name="pairs")
    first = barrier.insert_many(0, ["a", "b"], [[1.0, 2.0], [3.0, 4.0]])
    second = barrier.insert_many(1, ["b"], [7])
    taken, sizes = barrier.take_many(1), [barrier.ready_size(), barrier.incomplete_size()]
    rest = barrier.take_many(1, allow_small_batch=True)
    assert taken.values[0].shape == (1, 2)
    with tf.Session() as sess:
        sess.run(first)
        sess.run(second)
        assert sess.run(sizes) == [1, 1]
        found = sess.run(taken)
        assert (found.keys.tolist(), found.indices.tolist()) == ([b"b"], [-(2**63)])
        np.testing.assert_array_equal(found.values[0], [[3, 4]])
        with pytest.raises(errors.InvalidArgumentError, match="already has a value for component 0"):
            sess.run(barrier.insert_many(0, ["a"], [[0.0, 0.0]]))
        sess.run(barrier.close(cancel_pending_enqueues=True))
        with pytest.raises(errors.OutOfRangeError, match="is closed and has insufficient elements"):
            sess.run(rest)
        with pytest.raises(errors.CancelledError, match="already closed"):
            sess.run(barrier.close())


@pytest.mark.parametrize(
    ("dtype", "empty", "deleted", "keys", "buckets", "wanted"),
    [
        (tf.int64, 0, -7, range(1, 8), 4, [[n] for n in [*range(8), *[0] * 8]]),
        (tf.int64, 0, -7, [5, 6, 7], 8, [[0], [0], [0], [0], [0], [5], [6], [7]]),
        (
            tf.string, "", "x", ["a", "b", "brain", "salad", "surgery"], 8,
            [[b""], [b""], [b"b"], [b"brain"], [b"a"], [b"salad"], [b""], [b"surgery"]],
        ),
        (
            tf.int64, [0, 0], [9, 9], [[1, 2], [3, 4], [5, 6], [7, 8]], 8,
            [[7, 8], [0, 0], [0, 0], [1, 2], [5, 6], [0, 0], [0, 0], [3, 4]],
        ),
    ],
)  # fmt: skip
def test_dense_tables_are_saved_in_tensorflows_buckets(
    tmp_path: Path, dtype: Any, empty: Any, deleted: Any, keys: Any, buckets: int, wanted: Any
) -> None:
    """As TensorFlow 1.15.5 exports and restores them."""
    table = tf.contrib.lookup.MutableDenseHashTable(
        dtype, tf.float32, -1.0, empty, deleted_key=deleted, initial_num_buckets=buckets
    )
    values = np.arange(len(keys), dtype=np.float32) + 1
    given = tf.constant([*keys], dtype)
    insert, export, lookup = table.insert(given, values), table.export(), table.lookup(given)
    saver = tf.train.Saver()
    with tf.Session() as sess:
        sess.run(insert)
        assert sess.run(export)[0].tolist() == wanted
        path = saver.save(sess, str(tmp_path / "table"))
    with tf.Session() as sess:
        saver.restore(sess, path)
        np.testing.assert_array_equal(sess.run(lookup), values)
        assert sess.run(table.size()) == len(keys)


def test_tables_are_made_outside_of_loops() -> None:
    """The loop reads the table through ``Enter``, and what fills it needs nothing of the loop; as in TensorFlow."""
    filled = tf.lookup.KeyValueTensorInitializer(tf.constant([1, 2, 3]), tf.constant([5, 10, 15]))
    found = tf.map_fn(lambda x: tf.lookup.StaticHashTable(filled, -1).lookup(x), tf.constant([2, 4, 1]))
    graph = tf.get_default_graph()
    assert graph.get_operation_by_name("map/while/hash_table").control_inputs == []
    find = graph.get_operation_by_name("map/while/hash_table_Lookup/LookupTableFindV2")
    assert find.inputs[0].op.type == "Enter"
    with tf.Session() as sess:
        sess.run(tf.tables_initializer())
        assert sess.run(found).tolist() == [10, -1, 5]


def test_names_of_tables() -> None:
    """TensorFlow 1.15.5's: a name of one's own, else that of the table of words, without its scopes."""
    with tf.name_scope("scope"):
        words = tf.contrib.lookup.HashTable(
            tf.contrib.lookup.KeyValueTensorInitializer(["a"], [0], value_dtype=tf.int64), -1
        )
        named = tf.contrib.lookup.IdTableWithHashBuckets(words, 2, name="named")
        ids = named.lookup(tf.constant(["b"]))
    assert (words.name, named.name) == ("hash_table", "named")
    assert tf.contrib.lookup.IdTableWithHashBuckets(None, 2).name == "hash_bucket"
    assert ids.op.name == "scope/named_Lookup/SelectV2"


def test_keys_and_values_of_unequal_number() -> None:
    fill = tf.lookup.KeyValueTensorInitializer(tf.constant(["a", "b", "c"]), tf.constant([1, 2]))
    with pytest.raises(ValueError, match=r"Dimension 0 in both shapes must be equal, but are 3 and 2"):
        tf.lookup.StaticHashTable(fill, -1)


def test_lines_of_a_table_are_read_together_as_one_by_one(tmp_path: Path) -> None:
    """Plain lines are read column by column; quotes, defaults and what is wrong one by one, each in its turn."""
    plain = [f"{i},{i / 8},word_{i}" for i in range(150)]
    special = {70: '70,"8.75","a, ""b""\nc"', 90: "90,,d", 120: "1_20,1.0,e", 130: "99999999999,1.0,f"}
    lines = [special.get(i, line) for i, line in enumerate(plain)]
    (tmp_path / "table.csv").write_text("\n".join(lines) + "\n")
    table = tf.data.experimental.CsvDataset(str(tmp_path / "table.csv"), [tf.int32, [0.5], tf.string])
    following = table.make_one_shot_iterator().get_next()
    found: list[Any] = []
    with tf.Session() as session:
        while True:
            try:
                found.append([*session.run(following)])
            except errors.InvalidArgumentError:
                found.append("wrong")
            except errors.OutOfRangeError:
                break
    expected: list[Any] = [[i, i / 8, f"word_{i}".encode()] for i in range(150)]
    expected[70], expected[90] = [70, 8.75, b'a, "b"\nc'], [90, 0.5, b"d"]
    expected[120] = expected[130] = "wrong"
    assert found == expected


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_tables_with_each_ending_of_lines(ending: str, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_bytes(ending.join(["a,b", "1,x", '2,"y', 'z"', "3"]).encode())
    table = tf.data.experimental.CsvDataset(str(tmp_path / "table.csv"), [tf.int32, tf.string], header=True)
    following = table.make_one_shot_iterator().get_next()
    with tf.Session() as session:
        assert [*session.run(following)] == [1, b"x"]
        assert [*session.run(following)] == [2, f"y{ending}z".encode()]
        with pytest.raises(errors.InvalidArgumentError, match="Expect 2 fields but have 1 in record"):
            session.run(following)


def test_windows_pass_over_errors_that_they_do_not_hold() -> None:
    numbers = tf.data.Dataset.from_tensor_slices([1.0, float("nan"), 2.0, 3.0])
    checked = numbers.map(lambda x: tf.check_numerics(x, "not a number"))
    windows = checked.window(2, shift=1, stride=2, drop_remainder=True).flat_map(lambda window: window.batch(2))
    following = windows.make_one_shot_iterator().get_next()
    with tf.Session() as session:
        assert session.run(following).tolist() == [1.0, 2.0]
        with pytest.raises(errors.InvalidArgumentError, match="not a number"):
            session.run(following)
        with pytest.raises(errors.OutOfRangeError):
            session.run(following)
        for count, drop in ((2, True), (3, False)):
            windows = tf.data.Dataset.range(5).window(2, drop_remainder=drop)
            assert session.run(tf.data.experimental.cardinality(windows)) == count


def test_a_key_of_a_dense_table_is_there_once() -> None:
    """TensorFlow 1.15.5 gives it a second bucket if one before its own was freed meanwhile, and counts it twice."""
    table = tf.contrib.lookup.MutableDenseHashTable(
        tf.int64, tf.int64, -1, empty_key=100, deleted_key=200, initial_num_buckets=8
    )
    keys, values = tf.placeholder(tf.int64), tf.placeholder(tf.int64)
    insert, remove = table.insert(keys, values), table.remove(keys)
    with tf.Session() as sess:
        sess.run(insert, {keys: [1, 9], values: [10, 90]})  # both hash to the second bucket
        sess.run(remove, {keys: [1]})
        sess.run(insert, {keys: [9], values: [91]})
        assert sess.run(table.size()) == 1
        assert sess.run(table.export())[0].ravel().tolist() == [100, 200, 9, 100, 100, 100, 100, 100]


@pytest.mark.parametrize("shared", [None, "same"])
def test_tables_where_ops_run_at_once_are_shared_by_a_given_name_alone(shared: str | None) -> None:
    def table() -> Any:
        return tf.contrib.lookup.MutableHashTable(tf.int64, tf.int64, -1, shared_name=shared, name="t")

    def dense() -> Any:
        table = tf.contrib.lookup.MutableDenseHashTable
        return table(tf.int64, tf.int64, -1, empty_key=-5, deleted_key=-6, shared_name=shared and "dense", name="t")

    with eager_mode():
        for kind in (table, dense):
            one, other = kind(), kind()
            one.insert(tf.constant([1, 2], tf.int64), tf.constant([3, 4], tf.int64))
            assert [one.size().numpy(), other.size().numpy()] == [2, 2 if shared else 0]
