"""Ops on many strings."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.ops import hashing, string_patterns


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


def test_many_strings_are_hashed_and_read_as_each_alone() -> None:
    draw = np.random.RandomState(4)
    texts = [draw.bytes(draw.randint(70)) for _ in range(300)] + [b"", b"x" * 8, b"y" * 256, b"z" * 300]
    key = (2**63 + 5, 77)
    assert hashing.sips(texts, key).tolist() == [hashing.sip(text, key) for text in texts]
    numbers = [b"1", b"-5", b"007", b"1e5", b".5", b"5.", b" 7", b"0x10", b"-inf"]
    with tf.Graph().as_default(), tf.Session() as sess:
        found = [float(sess.run(tf.string_to_number(tf.constant([text])))[0]) for text in numbers]
        assert sess.run(tf.string_to_number(tf.constant(numbers[:6]))).tolist() == found[:6] == [1, -5, 7, 1e5, 0.5, 5]
        assert found[6:] == [7, 16, -np.inf]
        for wrong in (b"1_0", b".", b"", b"--1", b"1e"):
            for dtype in (tf.float32, tf.int32):
                with pytest.raises(tf.errors.InvalidArgumentError, match="could not correctly convert string: "):
                    sess.run(tf.string_to_number(tf.constant([b"3", wrong]), dtype))
        with pytest.raises(tf.errors.InvalidArgumentError, match="could not correctly convert string: 2147483648"):
            sess.run(tf.string_to_number(tf.constant([b"2147483648"]), tf.int32))


def test_many_strings_are_hashed_by_murmur_as_one() -> None:
    random = np.random.RandomState(0)
    texts = [random.bytes(n) for n in [*range(140), 0, 0, 7, 8, 64]]
    assert hashing.murmurs(texts).tolist() == [hashing.murmur(text) for text in texts]


@pytest.mark.parametrize("rewrite", ["#", r"<\1>", r"\\\0", r"a\gb"])
@pytest.mark.parametrize("pattern", ["([0-9]+)", "(a)|(b)", "(l*)", r"(\bw)", "(^)", "([^a-z])", "(x?)"])
def test_matches_that_are_never_empty_are_replaced_in_one_call(pattern: str, rewrite: str, monkeypatch: Any) -> None:
    texts = np.array([b"word 12 of a line, 3", b"", b"aab", b"hello", "f\u00fcr 5".encode(), b"\xff7"], object)
    options = {"pattern": pattern, "rewrite": rewrite}
    at_once = string_patterns._replaced(np, texts, replace_global=True, **options)
    monkeypatch.setattr(string_patterns, "_may_be_empty", lambda pattern: True)
    one_by_one = string_patterns._replaced(np, texts, replace_global=True, **options)
    assert at_once.tolist() == one_by_one.tolist()


_TEXTS = np.array([[b"a\0", b"bc"], [b"", b"d"]], object)
_ONE = {
    "a slice": (lambda x: x[0, 0], b"a\0"),
    "gathered": (lambda x: tf.gather(tf.gather(x, 1), 1), b"d"),
    "gathered by places": (lambda x: tf.gather_nd(x, [0, 1]), b"bc"),
    "unstacked": (lambda x: tf.unstack(tf.reshape(x, [4]), num=4)[3], b"d"),
    "read": (lambda x: tf.TensorArray(tf.string, 2).unstack(x[0]).read(0), b"a\0"),
    "chosen": (lambda x: tf.cond(tf.equal(x[0, 0], "a"), lambda: "no", lambda: x[0, 1]), b"bc"),
    "folded": (lambda x: tf.foldl(lambda a, b: a + b, x[0]), b"a\0bc"),
    "mapped": (lambda x: tf.map_fn(lambda y: tf.reshape(y, []), x[0])[0], b"a\0"),
    "queued": (lambda x: _queued(x[0, 0]), b"a\0"),
}


def _queued(x: Any) -> Any:
    queue = tf.FIFOQueue(2, tf.string, [[]])
    with tf.control_dependencies([queue.enqueue(x)]):
        return queue.dequeue()


@pytest.mark.parametrize(("build", "wanted"), _ONE.values(), ids=_ONE)
def test_one_of_many_strings_is_a_tensor_for_other_ops(build: Any, wanted: bytes) -> None:
    """NumPy gives an element of an array of objects without an array around it."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.string, [2, 2])
        one = build(x)
        found = sess.run([one, tf.reshape(one, [1]), tf.stack([one, one]), tf.concat([[one], [one]], 0)], {x: _TEXTS})
    assert [found[0], *found[1], *found[2], *found[3]] == [wanted] * 6
