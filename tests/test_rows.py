"""A dataset's function computed for many elements at once gives, bit for bit, what it gives for each alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.graph import errors
from retrograd.run import rows

ROWS = np.random.RandomState(0).randn(70, 5, 3).astype(np.float32)
NUMBERS = np.arange(70)


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    with tf.Graph().as_default():
        yield


def elements(dataset: Any) -> list[Any]:
    element = dataset.make_one_shot_iterator().get_next()
    found: list[Any] = []
    with tf.Session() as sess:
        try:
            while True:
                found.append(sess.run(element))
        except errors.OutOfRangeError:
            return found


def shaped(x: Any, n: Any) -> Any:
    image = tf.expand_dims(x, -1)
    return (
        tf.transpose(x), tf.reshape(x, [-1]), tf.reshape(tf.tile(x, [2, 1]), [2, -1]), image, tf.expand_dims(x, -3),
        tf.squeeze(image), tf.squeeze(image, [-1]), tf.squeeze(tf.expand_dims(n, 0), [0]), x[1:, 0], x[..., ::-1],
        x[-1:, tf.newaxis], tf.slice(x, [1, 0], [2, -1]), tf.stack([x, 2 * x], axis=-1), tf.stack([n, n]),
        tf.concat([x, x], 0), tf.concat([x, tf.ones([5, 2])], -1), tf.image.flip_left_right(image),
    )  # fmt: skip


def computed(x: Any, n: Any) -> Any:
    return (
        x * 2 + tf.cast(n, tf.float32), x / tf.reduce_max(x), x - tf.reduce_mean(x), tf.exp(x), tf.tanh(x),
        tf.nn.softmax(x), tf.matmul(x, x, transpose_b=True), tf.reduce_sum(x), tf.clip_by_value(x, -1, 1), x**3,
        n // 3, n % 7, tf.constant(3), tf.where(tf.equal(n % 2, 0), x, -x), tf.pow(tf.abs(x), 0.3),
    )  # fmt: skip


def worded(x: Any, n: Any) -> Any:
    text = tf.as_string(n)
    return (
        text, tf.string_to_number(text), tf.string_to_hash_bucket_fast(text, 9), tf.one_hot(n, 5),
        tf.one_hot(n, 5, axis=0), tf.decode_raw(tf.constant("abcd"), tf.int16), tf.string_join([text, "!"]),
    )  # fmt: skip


@pytest.mark.parametrize("function", [shaped, computed, worded])
def test_many_at_once_are_each_as_if_alone(function: Callable[[Any, Any], Any]) -> None:
    together = elements(tf.data.Dataset.from_tensor_slices((ROWS, NUMBERS)).map(function))
    rows = tf.data.Dataset.from_generator(  # whose elements are not asked for ahead
        lambda: zip(ROWS, NUMBERS, strict=True), (tf.float32, tf.int64), ([5, 3], [])
    )
    alone = elements(rows.map(function))
    assert len(together) == len(alone) == len(ROWS)
    for one, other in zip(together, alone, strict=True):
        for x, y in zip(one, other, strict=True):
            assert np.asarray(x).dtype == np.asarray(y).dtype
            assert x == y if isinstance(x, bytes) else np.asarray(x).tobytes() == np.asarray(y).tobytes()


def test_an_element_that_fails_fails_in_its_turn() -> None:
    dataset = tf.data.Dataset.range(5, 200).map(lambda n: tf.decode_raw(tf.as_string(n), tf.int16))
    element = dataset.make_one_shot_iterator().get_next()
    right, wrong = [], 0
    with tf.Session() as sess:
        for n in range(5, 200):
            if len(str(n)) % 2:
                with pytest.raises(errors.InvalidArgumentError, match="DecodeRaw"):
                    sess.run(element)
                wrong += 1
            else:
                right.append(sess.run(element).tobytes())
        with pytest.raises(errors.OutOfRangeError):
            sess.run(element)
    assert right == [b"%d" % n for n in range(10, 100)]
    assert wrong == 105


def test_elements_of_unequal_shape_are_computed_alone() -> None:
    found = elements(tf.data.Dataset.range(50).map(lambda n: tf.range(n)).map(lambda x: x * 2))
    assert [len(x) for x in found] == [*range(50)]


def test_nothing_is_asked_for_ahead_where_somebody_would_see_it() -> None:
    asked = []

    def count() -> Iterator[int]:
        for n in range(100):
            asked.append(n)
            yield n

    dataset = tf.data.Dataset.from_generator(count, tf.int64, []).map(lambda n: n + 1)
    element = dataset.make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        assert [int(sess.run(element)) for _ in range(10)] == [*range(1, 11)]
    assert asked == [*range(10)]


def test_lines_of_files_that_a_function_opens_are_computed_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = []
    run = rows.Rows.__call__
    monkeypatch.setattr(rows.Rows, "__call__", lambda s, c, k: counts.append(len(c[0])) or run(s, c, k))
    (tmp_path / "lines").write_text("".join(f"{i}\n" for i in range(40)))
    names = tf.data.Dataset.from_tensors(str(tmp_path / "lines"))
    lines = names.flat_map(lambda name: tf.data.TextLineDataset(name).skip(1)).map(tf.string_to_number)
    assert elements(lines) == [*range(1, 40)]
    assert max(counts) > 1


def test_examples_of_many_batches_are_parsed_as_if_alone() -> None:
    draw, texts = np.random.RandomState(2), []
    for i in range(60):
        example = tf.train.Example()
        if i % 5:
            example.features.feature["few"].int64_list.value.extend(range(i % 4))
        if i % 7:
            example.features.feature["words"].bytes_list.value.extend([b"w" * k for k in range(draw.randint(4))])
        if i % 3:
            example.features.feature["given"].float_list.value.extend([i, 1.5])
        example.features.feature["label"].int64_list.value.append(i)
        texts.append(example.SerializeToString())
    features = {
        "few": tf.VarLenFeature(tf.int64), "words": tf.VarLenFeature(tf.string), "never": tf.VarLenFeature(tf.float32),
        "given": tf.FixedLenFeature([2], tf.float32, [0.0, -1.0]), "label": tf.FixedLenFeature([], tf.int64),
    }  # fmt: skip
    batches = np.array(texts, object).reshape(12, 5)
    together = elements(tf.data.Dataset.from_tensor_slices(batches).map(lambda x: tf.parse_example(x, features)))
    rows = tf.data.Dataset.from_generator(lambda: iter(batches), tf.string, [5])
    alone = elements(rows.map(lambda x: tf.parse_example(x, features)))
    assert len(together) == len(alone) == 12
    for one, other in zip(together, alone, strict=True):
        for key in features:
            parts = [(one[key], other[key])] if key in ("given", "label") else zip(one[key], other[key], strict=True)
            for x, y in parts:
                assert np.asarray(x).dtype == np.asarray(y).dtype
                assert np.asarray(x).tolist() == np.asarray(y).tolist()


def test_an_example_that_cannot_be_parsed_fails_in_its_batch() -> None:
    texts = np.array([tf.train.Example().SerializeToString(), b"", b"\x0a\xff", b""], object).reshape(2, 2)
    dataset = tf.data.Dataset.from_tensor_slices(texts).repeat(4)
    element = dataset.map(lambda x: tf.parse_example(x, {"a": tf.VarLenFeature(tf.int64)})).make_one_shot_iterator()
    parsed, outcomes = element.get_next(), []
    with tf.Session() as sess:
        for _ in range(8):
            try:
                outcomes.append(sess.run(parsed)["a"].dense_shape.tolist())
            except errors.InvalidArgumentError:
                outcomes.append("wrong")
    assert outcomes == [[2, 0], "wrong"] * 4
