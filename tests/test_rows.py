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
        tf.random.stateless_multinomial([[0.1, -1.0, 0.7]], 1, tf.stack([n, -3 * n])),
    )  # fmt: skip


def pictured(x: Any, n: Any) -> Any:
    image = tf.tile(tf.expand_dims(x, 0), [4, 1, 1])
    factor = tf.cast(n, tf.float32) / 70
    wide = tf.tile(tf.reshape(x, [1, -1]), [90, 7]) * tf.linspace(0.1, 7.3, 105)
    return (
        tf.image.adjust_contrast(image, 0.3), tf.image.adjust_contrast(image, factor), tf.image.adjust_hue(image, 0.2),
        tf.image.adjust_hue(image, factor), tf.image.adjust_saturation(image, 1 + factor),
        tf.image.per_image_standardization(image), tf.image.resize_image_with_crop_or_pad(image, 7, 2),
        tf.pad(image, [[1, 0], [0, 2], [0, 0]], "REFLECT"), tf.pad(x, [[1, 0], [0, 2]], constant_values=3.0),
        tf.reverse(x, [-1]), tf.reverse(x, [0, 1]), tf.shape(x), tf.rank(x), tf.size(x), tf.reduce_mean(wide),
        tf.reduce_sum(wide, [1, 0], keepdims=True), tf.reduce_mean(tf.transpose(x)), tf.reduce_all(x > -2),
        tf.slice(x, tf.stack([n % 3, n % 2]), [2, 1]), tf.reduce_sum(n), tf.reduce_mean(tf.stack([n, n + 1])),
    )  # fmt: skip


def worded(x: Any, n: Any) -> Any:
    text = tf.as_string(n)
    return (
        text, tf.string_to_number(text), tf.string_to_hash_bucket_fast(text, 9), tf.one_hot(n, 5),
        tf.one_hot(n, 5, axis=0), tf.decode_raw(tf.constant("abcd"), tf.int16), tf.string_join([text, "!"]),
    )  # fmt: skip


def drawn(x: Any, n: Any) -> Any:
    tf.set_random_seed(3)
    image = tf.image.random_flip_left_right(tf.random_crop(tf.expand_dims(x, -1), [3, 2, 1], seed=1), seed=2)
    image = tf.image.random_contrast(tf.image.random_brightness(image, 0.5, seed=3), 0.2, 1.8, seed=4)
    noise = tf.random_normal([3], seed=5) * tf.random_uniform([], seed=6), tf.random_uniform([2], 0, 9, tf.int64, 7)
    others = tf.truncated_normal([4], seed=8), tf.random_gamma([2], 1.5, seed=9), tf.random_shuffle(x, seed=10)
    return (image, tf.random_uniform([3], dtype=tf.float64, seed=11), *noise, *others)


@pytest.fixture
def refusals(monkeypatch: pytest.MonkeyPatch) -> list[Exception]:
    """What was raised when a function was computed for many elements: then each is computed alone."""
    first, raised = rows.Rows.with_draws, []

    def noting(self: Any, *inputs: Any) -> Any:
        try:
            return first(self, *inputs)
        except Exception as error:
            raised.append(error)
            raise

    monkeypatch.setattr(rows.Rows, "with_draws", noting)
    return raised


@pytest.mark.parametrize("function", [shaped, computed, pictured, worded, drawn])
def test_no_op_refuses_many(function: Callable[[Any, Any], Any], refusals: list[Exception]) -> None:
    elements(tf.data.Dataset.from_tensor_slices((ROWS, NUMBERS)).map(function))
    assert refusals == []


@pytest.mark.parametrize("function", [shaped, computed, pictured, worded])
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


def branched(x: Any, n: Any) -> Any:
    coin = tf.less(tf.random_uniform([], seed=1), 0.5)
    drawn = tf.cond(coin, lambda: tf.random_uniform([2], seed=2) + tf.reduce_max(x), lambda: tf.fill([2], x[0, 0]))
    inner = tf.cond(
        n > 9,
        lambda: tf.cond(n > 40, lambda: x[0] + tf.random_normal([3], seed=3), lambda: x[1]),
        lambda: tf.zeros([3]),
    )
    ragged = tf.cond(n % 3 > 0, lambda: x[:2], lambda: x)
    text = tf.case(
        [(n % 2 > 0, lambda: tf.as_string(n)), (n > 30, lambda: tf.constant("more"))], lambda: tf.constant("")
    )
    with tf.control_dependencies([tf.Assert(n >= 0, [n]), tf.assert_less(n, tf.constant(100, tf.int64))]):
        whole = tf.identity(n)
    return drawn, inner, ragged, text, whole, tf.cond(tf.constant(True), lambda: n + 1, lambda: n)


@pytest.mark.parametrize("function", [drawn, branched])
@pytest.mark.parametrize(
    "spread",
    [
        lambda rows, f: rows.map(f),
        lambda rows, f: rows.map(f, 4).take(13).repeat(4),
        lambda rows, f: rows.flat_map(lambda x, n: tf.data.Dataset.from_tensors((x, n)).repeat(5).map(f)).take(99),
        lambda rows, f: tf.data.Dataset.range(3).interleave(lambda i: rows.map(f), 3, 4),
        lambda rows, f: rows.map(f).shuffle(9, seed=1).prefetch(2).repeat(2).skip(80),
    ],
    ids=["map", "part", "flat", "interleave", "shuffle"],
)
def test_random_numbers_and_branches_of_many_are_those_of_each(function: Any, spread: Any) -> None:
    def pipeline(is_seen: bool) -> Any:
        with tf.Graph().as_default():
            source = tf.data.Dataset.from_tensor_slices((ROWS, NUMBERS))
            rows = tf.data.Dataset.from_generator(
                lambda: zip(ROWS, NUMBERS, strict=True), (tf.float32, tf.int64), ([5, 3], [])
            )
            return elements(spread(rows if is_seen else source, function))

    together, alone = pipeline(False), pipeline(True)
    assert len(together) == len(alone) > 50
    for one, other in zip(together, alone, strict=True):
        for x, y in zip(one, other, strict=True):
            assert np.asarray(x).dtype == np.asarray(y).dtype
            assert x == y if isinstance(x, bytes) else np.asarray(x).tobytes() == np.asarray(y).tobytes()


def test_a_failing_element_takes_the_random_numbers_that_it_took_alone() -> None:
    def function(n: Any) -> Any:
        with tf.control_dependencies([tf.Assert(n % 7 > 0, [n])]):
            return tf.random_uniform([], seed=1) + tf.cast(n, tf.float32)

    whole = tf.data.Dataset.range(1, 60)
    seen = tf.data.Dataset.from_generator(lambda: iter(range(1, 60)), tf.int64, [])
    found = [elements(source.map(function).apply(tf.data.experimental.ignore_errors())) for source in (whole, seen)]
    assert found[0] == found[1]
    assert len(found[0]) == 51


def numbered(mutable: bool) -> Any:
    if mutable:
        table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1)
        filled = table.insert(tf.constant(["a", "b"]), tf.constant([5, 6], tf.int64))
    else:
        table = tf.contrib.lookup.index_table_from_tensor(["a", "b", "c"], num_oov_buckets=3)
        filled = table.init

    def function(line: Any) -> Any:
        words = tf.string_split([line]).values
        found = table.lookup(words)
        pieces = tf.string_split(tf.stack([line, "x y"]), " ")
        sums = tf.cast(found, tf.int32) + tf.size(words), tf.string_to_number(tf.as_string(found)) * 2
        return (found, tf.size(words), *sums, pieces.indices, pieces.values, pieces.dense_shape, table.lookup(line))

    return function, filled, table


@pytest.mark.parametrize("mutable", [False, True])
def test_words_of_many_lines_are_looked_up_together(mutable: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [" ".join("abcdefgh"[: i % 7]) for i in range(40)] + ["", "a", "b b", "zzz a"]
    counts = []
    run = rows.Rows.__call__
    monkeypatch.setattr(rows.Rows, "__call__", lambda s, c, k: counts.append(len(run(s, c, k)[0])) or run(s, c, k))

    def found(is_seen: bool) -> list[Any]:
        with tf.Graph().as_default():
            function, filled, _ = numbered(mutable)
            source = tf.data.Dataset.from_generator(lambda: iter(lines), tf.string, [])
            if not is_seen:
                source = tf.data.Dataset.from_tensor_slices(lines)
            iterator = source.map(function).make_initializable_iterator()
            element = iterator.get_next()
            with tf.Session() as sess:
                sess.run([filled, iterator.initializer])
                return [sess.run(element) for _ in lines]

    together = found(False)
    assert bool(counts) is not mutable
    for one, other in zip(together, found(True), strict=True):
        for x, y in zip(one, other, strict=True):
            assert np.asarray(x).dtype == np.asarray(y).dtype
            assert np.shape(x) == np.shape(y)
            assert np.asarray(x).tolist() == np.asarray(y).tolist()


def test_a_table_that_changes_is_asked_when_the_element_is() -> None:
    function, filled, table = numbered(True)
    element = tf.data.Dataset.from_tensor_slices(["a b", "a q"] * 20).map(function).make_initializable_iterator()
    following, more = element.get_next(), table.insert(tf.constant(["q"]), tf.constant([9], tf.int64))
    with tf.Session() as sess:
        sess.run([filled, element.initializer])
        first = [sess.run(following)[0].tolist() for _ in range(4)]
        sess.run(more)
        assert first == [[5, 6], [5, -1]] * 2
        assert [sess.run(following)[0].tolist() for _ in range(2)] == [[5, 6], [5, 9]]


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
