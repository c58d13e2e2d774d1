"""What functions of elements see of the graph around them, and what is said of what they must not do."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from retrograd import tf


def _messages(build: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        build()
    return [str(w.message) for w in seen]


def test_a_body_sees_the_collections_outside() -> None:
    seen: list[Any] = []

    def body(x: Any) -> Any:
        seen.append((tf.global_variables(), tf.get_collection("mine")))
        tf.add_to_collection("mine", 4)
        return x

    with tf.Graph().as_default():
        v = tf.Variable(1.0)
        tf.add_to_collection("mine", 3)
        tf.data.Dataset.range(2).map(body)
        assert seen == [([v], [3])]
        assert tf.get_collection("mine") == [3]


def test_resources_of_a_body_are_warned_of() -> None:
    def body(x: Any) -> Any:
        tf.contrib.lookup.HashTable(tf.contrib.lookup.KeyValueTensorInitializer(["a"], [1.0]), 0.0)
        return x

    with tf.Graph().as_default():
        (message,) = _messages(lambda: tf.data.Dataset.range(2).map(body))
    assert message.startswith("Creating resources inside a function passed to Dataset.map() is not supported.")


@pytest.mark.parametrize(("seed", "warns"), [(None, True), (3, False)])
def test_the_seed_of_the_graph_in_a_body_is_warned_of(seed: int | None, warns: bool) -> None:
    with tf.Graph().as_default():
        tf.set_random_seed(10)
        messages = _messages(lambda: tf.data.Dataset.range(2).map(lambda x: tf.random_uniform([], seed=seed)))
    assert [m[:70] for m in messages] == [
        "Seed 10 from outer graph might be getting used by function Dataset_map"
    ] * warns


def test_a_one_shot_iterator_warns_of_datasets_of_another_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr("retrograd.graph.log.warning", said.append)
    with tf.Graph().as_default():
        dataset = tf.data.Dataset.range(3)
    with tf.Graph().as_default(), tf.Session() as session:
        following = dataset.make_one_shot_iterator().get_next()
        assert session.run(following) == 0
        assert "created in the same graph as the iterator." in said[0]


@pytest.mark.parametrize("state", [(), (0, 1)])
def test_a_state_of_other_parts_is_told_by_the_run(state: Any) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        reduced = tf.data.Dataset.range(2).reduce(0, lambda _, __: state)
        with pytest.raises(tf.errors.InvalidArgumentError, match=rf"\(initial_state=1, output={len(state)}\)"):
            session.run(reduced)


def test_a_state_of_text_grows() -> None:
    reducer = tf.data.experimental.Reducer(lambda _: "", lambda s, x: s + x[0], lambda s: s)
    with tf.Graph().as_default(), tf.Session() as session:
        letters = tf.data.Dataset.from_tensor_slices(np.array(list("abcd")))
        parts = tf.data.Dataset.zip((letters, tf.data.Dataset.range(4)))
        dataset = parts.apply(tf.data.experimental.group_by_reducer(lambda _, n: n % 2, reducer))
        following = dataset.make_one_shot_iterator().get_next()
        assert [session.run(following), session.run(following)] == [b"ac", b"bd"]


def test_rows_of_a_sparse_tensor_come_in_order() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        sparse = tf.SparseTensor([[1, 0], [0, 0]], [1.0, 2.0], [2, 2])
        following = tf.data.Dataset.from_sparse_tensor_slices(sparse).make_one_shot_iterator().get_next()
        with pytest.raises(tf.errors.UnimplementedError, match="must be ordered in the batch dimension"):
            session.run(following)
