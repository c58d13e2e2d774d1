"""Pipelines rewritten as their options say, against TensorFlow 1.15.5 (``golden/rewriting.json``) and themselves."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from retrograd import tf
from retrograd.data.optimization import assert_next, non_serializable
from retrograd.graph import errors

GOLDEN = Path(__file__).parent / "golden"
sys.path.insert(0, str(GOLDEN))
import rewriting_cases as recorded  # noqa: E402

RECORD = json.loads((GOLDEN / "rewriting.json").read_text())
CASES = recorded.rewritten(tf)


@pytest.fixture(autouse=True)
def graph() -> Any:
    with tf.Graph().as_default():
        yield


def elements(dataset: Any, most: int = 1000) -> list[Any]:
    iterator = dataset.make_initializable_iterator()
    element = iterator.get_next()
    found: list[Any] = []
    with tf.Session() as sess:
        sess.run(iterator.initializer)
        while len(found) < most:
            try:
                found.append(sess.run(element))
            except errors.OutOfRangeError:
                break
            except errors.InvalidArgumentError as error:
                found.append(error.message.split("\n")[0])
    return [x.tolist() if hasattr(x, "tolist") else x for x in found]


@pytest.mark.parametrize("label", CASES)
@pytest.mark.filterwarnings("ignore:Seed")  # of the graph, which a function gets from outside
def test_the_recorded_transformations_follow(label: str) -> None:
    found = recorded.chain(tf, assert_next, CASES[label])
    want = RECORD[label]
    assert found[:-1] == want[:-1]
    assert (found[-1] or "").startswith((want[-1] or "").split(" only")[0])


@pytest.mark.parametrize(
    "label", [label for label in CASES if len(RECORD[label]) > 2 and "random" not in label and "huffle" not in label]
)
def test_rewritten_or_not_the_elements_are_the_same(label: str) -> None:
    build, options = CASES[label]
    plain = elements(build(tf.data.Dataset.range(70)).with_options(recorded.options(tf, [])))
    assert plain
    assert elements(build(tf.data.Dataset.range(70)).with_options(options)) == plain


def test_a_batch_of_a_map_loses_only_the_batch_with_the_element_that_fails() -> None:
    rows = tf.data.Dataset.range(9).map(lambda x: tf.gather([3, 1, 2, 0], tf.where(tf.equal(x, 4), x, x % 4)))
    found = elements(rows.batch(2))
    assert found == [[3, 1], [2, 0], "indices = 4 is not in [0, 4)", [2, 0], [3]]


def test_what_comes_before_a_pipeline_that_cannot_be_saved_is_not_rewritten() -> None:
    dataset = tf.data.Dataset.range(3).apply(assert_next(["FiniteSkip"])).skip(0).apply(non_serializable())
    assert elements(dataset.skip(0)) == [0, 1, 2]


def test_datasets_that_functions_make_are_rewritten() -> None:
    def inner(x: Any) -> Any:
        return tf.data.Dataset.from_tensors(x).apply(assert_next(["MapAndBatch"])).map(lambda y: y * 2).batch(1)

    assert elements(tf.data.Dataset.range(3).flat_map(inner)) == [[0], [2], [4]]


def test_a_variable_by_reference_keeps_a_pipeline_as_it_is() -> None:
    number = tf.get_variable("number", initializer=tf.constant(2, tf.int64), use_resource=False)
    dataset = tf.data.Dataset.range(3).apply(assert_next(["Map", "BatchV2"])).map(lambda x: x * number).batch(3)
    with pytest.warns(UserWarning, match="The following optimizations will be disabled: map_and_batch_fusion"):
        iterator = dataset.make_initializable_iterator()
    with tf.Session() as sess:
        sess.run(number.initializer)
        sess.run(iterator.initializer)
        assert sess.run(iterator.get_next()).tolist() == [0, 2, 4]


def test_without_an_order_elements_come_as_soon_as_they_are_there() -> None:
    import threading

    events = [threading.Event() for _ in range(4)]
    options = tf.data.Options()
    options.experimental_deterministic = False

    def waited(x: Any) -> Any:
        events[x].wait(20)
        return x

    rows = tf.data.Dataset.range(4).map(lambda x: tf.py_func(waited, [x], tf.int64), 4).with_options(options)
    element = rows.make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        found = []
        for i in (2, 0, 3, 1):
            events[i].set()
            found.append(int(sess.run(element)))
    assert found == [2, 0, 3, 1]


def test_a_sloppy_interleave_passes_over_who_waits() -> None:
    import threading

    event = threading.Event()

    def waited(x: Any) -> Any:
        if x == 0:
            event.wait(20)
        return x

    def inner(x: Any) -> Any:
        return tf.data.Dataset.from_tensors(x).map(lambda y: tf.py_func(waited, [y], tf.int64))

    rows = tf.data.Dataset.range(4).apply(tf.data.experimental.parallel_interleave(inner, 2, sloppy=True))
    element = rows.make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        found = [int(sess.run(element)) for _ in range(3)]
        event.set()
        assert found == [1, 2, 3]
        assert sess.run(element) == 0
        with pytest.raises(errors.OutOfRangeError):
            sess.run(element)


def test_threads_give_the_elements_in_order_however_many_they_hold() -> None:
    def inner(x: Any) -> Any:
        return tf.data.Dataset.range(1000 * x, 1000 * x + 100)

    rows = tf.data.Dataset.range(3).apply(tf.data.experimental.parallel_interleave(inner, 3))
    assert elements(rows) == [1000 * x + i for i in range(100) for x in range(3)]


def _told(sess: Any, summary: Any) -> dict[str, Any]:
    return {value.tag: value for value in tf.Summary.FromString(sess.run(summary)).value}


def test_a_pipeline_tells_of_itself() -> None:
    aggregator, options = tf.data.experimental.StatsAggregator(), tf.data.Options()
    options.experimental_stats.aggregator = aggregator
    options.experimental_stats.prefix = "own"
    more = tf.data.experimental
    rows = tf.data.Dataset.range(10).map(lambda x: tf.fill([x], x)).apply(more.bytes_produced_stats("bytes"))
    rows = rows.apply(more.latency_stats("time")).filter(lambda x: tf.equal(tf.size(x) % 2, 0)).prefetch(2)
    iterator = rows.with_options(options).make_initializable_iterator()
    element, summary = iterator.get_next(), aggregator.get_summary()
    with tf.Session() as sess:
        assert not _told(sess, summary)
        sess.run(iterator.initializer)
        assert [len(sess.run(element)) for _ in range(5)] == [0, 2, 4, 6, 8]
        with pytest.raises(errors.OutOfRangeError):
            sess.run(element)
        told = _told(sess, summary)
    sizes = told["own::bytes"].histo
    assert (sizes.num, sizes.sum, sizes.max, sizes.sum_squares, len(sizes.bucket)) == (10, 360, 72, 18240, 19)
    assert told["own::time"].histo.num == 10
    assert told["own::FilterDataset/_9::dropped_elements"].simple_value == 5
    assert told["own::FilterDataset/_9::filtered_elements"].simple_value == 5
    assert told["own::PrefetchDataset/_11::buffer_capacity"].simple_value == 2
    assert told["own::PrefetchDataset/_11::buffer_utilization"].histo.num == 5


def test_a_pipeline_without_an_aggregator_tells_nothing() -> None:
    assert elements(tf.data.Dataset.range(3).apply(tf.data.experimental.latency_stats("x"))) == [0, 1, 2]


def test_devices_get_elements_in_turn() -> None:
    from retrograd.data.multi_device import MultiDeviceIterator

    iterator = MultiDeviceIterator(tf.data.Dataset.range(5), ["/cpu:0", "/cpu:0"])
    both, first, last = iterator.get_next(), iterator.get_next("/cpu:0"), iterator.get_next_as_optional()[1]
    has_more = last.has_value()
    with tf.Session() as sess:
        with pytest.raises(errors.FailedPreconditionError):
            sess.run(first)
        for _ in range(2):
            sess.run(iterator.initializer)
            assert [sess.run(both), sess.run(both)] == [[0, 1], [2, 3]]
            assert sess.run(first) == 4
            assert not sess.run(has_more)
            with pytest.raises(errors.OutOfRangeError):
                sess.run(first)
    with pytest.raises(ValueError, match="'/cpu:7' is not in list"):
        iterator.get_next("/cpu:7")


def test_options_without_a_rewriting_change_nothing() -> None:
    names = ["hoist_random_uniform", "filter_with_random_uniform_fusion"]
    options = recorded.options(tf, names, experimental_slack=True)
    options.experimental_stats.latency_all_edges = True
    rows = tf.data.Dataset.range(20).map(lambda x: (x, tf.random_uniform([], seed=3))).prefetch(2)
    plain = elements(rows.with_options(recorded.options(tf, [])))
    assert len(plain) == 20
    assert elements(rows.with_options(options)) == plain
    expected = assert_next(["Map", "Prefetch"])
    again = tf.data.Dataset.range(3).apply(expected).map(lambda x: x).prefetch(2)
    assert elements(again.with_options(options)) == [0, 1, 2]
