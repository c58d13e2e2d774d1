"""``tf.contrib.learn.io``: functions of input, with what TensorFlow 1.15.5 gives for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrograd import tf

IO = tf.contrib.learn.io


def rows() -> Iterator[dict[str, Any]]:
    for i in range(6):
        yield {"a": i * np.ones(2), "b": np.array(f"s{i}"), "y": np.array(i)}


def longer_and_longer() -> Iterator[dict[str, Any]]:
    for i in range(1, 4):
        yield {"a": np.ones(i), "y": np.array(i)}


def batches(number: int, x: Any, **kwargs: Any) -> list[Any]:
    with tf.Graph().as_default():
        tensors = IO.generator_input_fn(x, **kwargs)()
        with tf.train.MonitoredSession() as session:
            return [session.run(tensors) for _ in range(number)]


def test_a_generator_gives_features_and_a_target() -> None:
    found = batches(4, rows, target_key="y", batch_size=2, shuffle=False)
    assert [y.tolist() for _, y in found] == [[0, 1], [2, 3], [4, 5], [0]]  # a batch ends behind the epoch, as there
    assert found[1][0]["a"].tolist() == [[2, 2], [3, 3]]
    assert found[1][0]["b"].tolist() == [b"s2", b"s3"]


def test_several_targets_come_in_their_order() -> None:
    ((features, targets),) = batches(1, rows, target_key=["y", "b"], batch_size=4, shuffle=False)
    assert list(features) == ["a"]
    assert [(key, value.tolist()[:2]) for key, value in targets.items()] == [("y", [0, 1]), ("b", [b"s0", b"s1"])]


def test_last_axes_are_padded() -> None:
    (found,) = batches(1, longer_and_longer, batch_size=3, shuffle=False, pad_value=0)
    assert found["a"].tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"x": [1]}, TypeError, "x must be generator function; got list"),
        ({"x": lambda: 3}, TypeError, r"x\(\) must be generator; got int"),
        ({"x": lambda: (i for i in [3])}, TypeError, r"x\(\) must yield dict; got int"),
        ({"x": rows, "target_key": 3}, TypeError, "target_key must be str or Container of str; got int"),
        ({"x": rows, "target_key": ["zz"]}, KeyError, r"Expected \['a', 'b', 'y'\] keys; got zz"),
    ],
)
def test_what_is_no_generator_is_refused(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        IO.generator_input_fn(**arguments)


def test_arrays_are_shuffled_unless_told_otherwise() -> None:
    with tf.Graph().as_default() as graph:
        features, target = IO.numpy_input_fn({"x": np.arange(4.0)}, np.arange(4), 2)()
        assert features["x"].name == "random_shuffle_queue_DequeueUpTo:1"
        assert target.dtype == tf.int64
        IO.numpy_input_fn({"x": np.arange(4.0)}, np.arange(4), 2, shuffle=False)()
        assert graph.get_operation_by_name("fifo_queue_DequeueUpTo").type == "QueueDequeueUpToV2"
