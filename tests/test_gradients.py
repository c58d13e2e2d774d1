"""``tf.gradients``, called in every way, against what TensorFlow 1.15.5 built, computed and said."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_linear import agree

import retrograd
import retrograd.tf as tf

HERE = Path(__file__).parent / "golden"
RECORDED = json.loads(gzip.decompress((HERE / "gradients.json.gz").read_bytes()))


@pytest.fixture(scope="module")
def record() -> Iterator[Any]:
    """``record_gradients.py``, run on retrograd."""
    retrograd.install()
    sys.path.insert(0, str(HERE))
    import record_gradients

    sys.path.remove(str(HERE))
    yield record_gradients
    retrograd.uninstall()


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")
@pytest.mark.parametrize("name", RECORDED)
def test_case(record: Any, name: str) -> None:
    want, got = RECORDED[name], record.found(record.CASES[name])
    assert got.get("error") == want.get("error")
    if "error" not in want:
        assert got["nodes"] == want["nodes"]
        assert got["fetches"] == want["fetches"]
        for mine, theirs in zip(got["values"], want["values"], strict=True):
            assert agree(mine, theirs), (mine, theirs)


def test_slices_count_as_their_values() -> None:
    """TensorFlow fails on ``IndexedSlices`` among ys and xs: 'IndexedSlices' object has no attribute 'value_index'."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant([1.0, 2.0])
        slices = tf.IndexedSlices(tf.reshape(x, [2, 1]) * 3.0, tf.constant([0, 2]), tf.constant([3, 1]))
        assert sess.run(tf.gradients(slices, x)[0]).tolist() == [3.0, 3.0]
        assert sess.run(tf.gradients(tf.square(slices.values), slices)[0]).tolist() == [[6.0], [12.0]]


def test_what_a_rule_gives_must_be_tensors() -> None:
    @tf.RegisterGradient("NumbersForATest")
    def numbers(op: Any, dy: Any) -> Any:
        return 1.0

    with tf.Graph().as_default() as graph:
        x = tf.constant(2.0)
        with graph.gradient_override_map({"Sin": "NumbersForATest"}):
            y = tf.sin(x)
        with pytest.raises(AttributeError, match="'float' object has no attribute 'name'") as caught:
            tf.gradients(y, x)
        assert "tf.convert_to_tensor" in caught.value.__notes__[0]


def test_none_is_no_tensor() -> None:
    with tf.Graph().as_default():
        x = tf.constant(2.0)
        with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'op'") as caught:
            tf.gradients(x, [x, None])
        assert "xs holds None" in caught.value.__notes__[0]
