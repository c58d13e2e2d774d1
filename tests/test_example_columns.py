"""Many examples read together give what they give one by one, damaged ones too."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.files.example_columns import OtherForm, columns_of
from retrograd.files.messages import message
from retrograd.graph import dtypes
from retrograd.graph.errors import InvalidArgumentError
from retrograd.ops import parsing

SPARSE = [("ids", dtypes.int64), ("words", dtypes.string), ("weights", dtypes.float32)]
DENSE: list[tuple[str, Any, tuple[int | None, ...], Any]] = [
    ("a", dtypes.int64, (), np.array(7)),
    ("a key of more than sixteen bytes", dtypes.float32, (2, 2), np.empty(0, np.float32)),
    ("text", dtypes.string, (1,), np.array([b"none"], object)),
    ("open", dtypes.int64, (None, 2), np.array(-1)),
]


def example(draw: random.Random) -> bytes:
    """An example of random features, some of them missing, empty or unknown, in random order."""

    def numbers(n: int) -> dict[str, Any]:
        some = 0, 1, 10, 127, 128, 300, -1, 2**63 - 1, -(2**63)
        return {"int64_list": {"value": [draw.choice(some) for _ in range(n)]}}

    def floats(n: int) -> dict[str, Any]:
        return {"float_list": {"value": [draw.random() for _ in range(n)]}}

    def strings(n: int) -> dict[str, Any]:
        return {"bytes_list": {"value": [bytes(draw.choice((0, 3, 200))) for _ in range(n)]}}

    some = {
        "ids": numbers(draw.randrange(4)), "words": strings(draw.randrange(4)), "weights": floats(draw.randrange(4)),
        "a": numbers(1), "text": strings(1), "open": numbers(2 * draw.randrange(3)), "no list": {},
        "unknown": floats(draw.randrange(9)),
    }  # fmt: skip
    chosen = {key: value for key, value in some.items() if draw.random() < 0.8}
    chosen["a key of more than sixteen bytes"] = floats(4)
    keys = list(chosen)
    draw.shuffle(keys)
    text: bytes = message("Example")(features={"feature": {key: chosen[key] for key in keys}}).SerializeToString()
    return text


def test_together_is_one_by_one() -> None:
    draw = random.Random(0)
    for count in (0, 1, 2, 5, 32):
        for _ in range(8):
            texts = [example(draw) for _ in range(count)]
            expected = parsing._parse_one_by_one(texts, [], SPARSE, DENSE)
            found = parse(texts)
            for a, b in zip(expected, found, strict=True):
                assert a.dtype == b.dtype
                np.testing.assert_array_equal(a, b)


def parse(texts: list[bytes]) -> list[Any]:
    assert parsing.PARSE_EXAMPLE.kernel is not None
    found: list[Any] = parsing.PARSE_EXAMPLE.kernel(
        np, np.array(texts, object), np.empty(0, object), [key for key, _ in SPARSE], [f[0] for f in DENSE],
        [f[3] for f in DENSE], sparse_types=[d for _, d in SPARSE], Tdense=[f[1] for f in DENSE],
        dense_shapes=[f[2] for f in DENSE],
    )  # fmt: skip
    return found


def test_they_are_read_together() -> None:
    draw = random.Random(1)
    columns_of([example(draw) for _ in range(9)], ("ids", "words"), (3, 1))


@pytest.mark.parametrize("kinds", [(3, 3), (1, 1), (2, 2)])
def test_of_another_kind(kinds: tuple[int, int]) -> None:
    text = message("Example")(
        features={"feature": {"x": {"int64_list": {"value": [1]}}, "y": {"bytes_list": {"value": [b""]}}}}
    ).SerializeToString()
    with pytest.raises(OtherForm):
        columns_of([text], ("x", "y"), kinds)


def test_damaged_examples() -> None:
    """A damaged example is what it is alone, or an error: nothing else is raised."""
    draw = random.Random(2)
    outcomes = set()
    for _ in range(250):
        data = bytearray(example(draw))
        for _ in range(draw.randrange(1, 4)):
            if draw.random() < 0.3:
                del data[draw.randrange(len(data)) :]
            elif data:
                data[draw.randrange(len(data))] = draw.choice((0, 0x0A, 0x12, 0x1A, 0x7F, 0x80, 0xFF))
        texts = [example(draw), bytes(data), example(draw)]
        try:
            expected = parsing._parse_one_by_one(texts, [], SPARSE, DENSE)
        except InvalidArgumentError:
            outcomes.add("error")
            with suppress(InvalidArgumentError):  # what nobody wants may be damaged
                parse(texts)
        else:
            outcomes.add("found")
            for a, b in zip(expected, parse(texts), strict=True):
                np.testing.assert_array_equal(a, b)
    assert outcomes >= {"error", "found"}


@pytest.mark.parametrize("size", [1, 5])
def test_maps_over_examples_are_what_each_gives(size: int) -> None:
    """Sparse features and rows of unequal length go through a map, a cache on disk and a batch."""
    draw = random.Random(3)
    texts = [example(draw) for _ in range(40)]

    def parse_one(text: tf.Tensor) -> Any:
        found = tf.parse_single_example(
            text, {"ids": tf.VarLenFeature(tf.int64), "words": tf.VarLenFeature(tf.string),
                   "a": tf.FixedLenFeature([], tf.int64, 7)},
        )  # fmt: skip
        return found["ids"], found["words"], found["a"], tf.size(found["ids"].values)

    pipeline = tf.data.Dataset.from_tensor_slices(texts).map(parse_one).batch(size)
    following = pipeline.make_one_shot_iterator().get_next()
    with tf.Session() as session:
        for start in range(0, len(texts), size):
            batch = texts[start : start + size]
            ids, words, a, sizes = session.run(following)
            expected = parsing._parse_one_by_one(batch, [], SPARSE[:2], DENSE[:1])
            for found, i in ((ids, 0), (words, 1)):
                for part, j in ((found.indices, 0), (found.values, 2), (found.dense_shape, 4)):
                    np.testing.assert_array_equal(part, expected[i + j])
            np.testing.assert_array_equal(a, expected[-1])
            np.testing.assert_array_equal(sizes, np.bincount(ids.indices[:, 0], minlength=len(batch)))
