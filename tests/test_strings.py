"""Ops on many strings."""

from __future__ import annotations

import random

import numpy as np
import pytest

from retrograd import tf
from retrograd.ops import hashing


def test_many_strings_are_hashed_as_one_by_one() -> None:
    draw = random.Random(3)
    texts = [draw.randbytes(n) for n in range(140) for _ in range(3)]
    assert hashing.farms(texts).tolist() == [hashing.farm(text) for text in texts]
    assert hashing.farms([]).tolist() == []
    with tf.Session() as sess:
        found = sess.run(tf.string_to_hash_bucket_fast(np.array(texts, object).reshape(2, -1), 1000)).ravel().tolist()
    assert found == [hashing.farm(text) % 1000 for text in texts]


@pytest.mark.parametrize(
    ("pattern", "rewrite", "wanted"),
    [("x*", "-", b"-a-b-"), (r"(a)(b)", r"\2\1\0\\", b"xxbaab\\x"), ("b|z*", r"", b"xxax"), ("a", r"\3", b"xxbx")],
)
def test_rewrites_of_patterns(pattern: str, rewrite: str, wanted: bytes) -> None:
    with tf.Session() as sess:
        assert sess.run(tf.regex_replace("xxabx", pattern, rewrite)) == wanted
