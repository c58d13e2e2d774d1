"""Array ops against TensorFlow 1.15.5: nodes, values, gradients and messages of ``golden/arrays.json.gz``."""

import gzip
import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from golden import array_cases
from recorded_cases import attr
from steps_taken import lines_run

from retrograd import tf
from retrograd.ops import permuting

GOLDEN = json.loads(gzip.decompress((Path(__file__).parent / "golden" / "arrays.json.gz").read_bytes()))


def _nodes(graph):
    return [
        {
            "name": op.name,
            "op": op.type,
            "inputs": [t.name for t in op.inputs],
            "waits": sorted(c.name for c in op.control_inputs),
            "outputs": [[t.dtype.name, None if t.shape.ndims is None else t.shape.as_list()] for t in op.outputs],
            "attrs": {k: attr(v, array_cases.plain) for k, v in sorted(op.attrs.items())},
        }
        for op in graph.get_operations()
    ]


def _error(error):
    return [type(error).__name__, str(error).split("\n")[0]]


def _without_values(error):
    """A message without the values of inputs that TensorFlow adds where its shape function read them."""
    return error and [error[0], error[1].split(" and with ")[0].rstrip(".")]


def _same(got, want):
    if got[:2] != want[:2]:
        return False
    if got[0] == "object" or any(isinstance(v, str) for v in (*got[2], *want[2])):
        return got[2] == want[2]
    return np.allclose(got[2], want[2], rtol=2e-4, atol=1e-5)


@pytest.mark.parametrize("name", array_cases.CASES)
def test_as_recorded(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # gradients that become dense warn, as they do in TensorFlow
        got = array_cases.outcome(tf, np, array_cases.CASES[name], _nodes, _error)
    got, want = json.loads(json.dumps(got)), GOLDEN[name]
    if "error" not in got and "No gradient defined" in str(want.get("error")):
        return  # there is one here
    assert _without_values(got.get("error")) == _without_values(want.get("error"))
    if not name.startswith(("error: ", "values: ")):
        assert got["nodes"] == want["nodes"]
    for ours, theirs in zip(got.get("values", []), want.get("values", []), strict=True):
        assert _same(ours, theirs), (ours, theirs)


WRONG_RANKS = {
    "concat": (lambda a: tf.concat([[2], [3]], a), [0], "axis tensor should be a scalar integer, but got shape [1]"),
    "concat of scalars": (
        lambda x: tf.concat([x, x], 0), 2, "ConcatOp : Expected concatenating dimensions in the range [0, 0), but got 0"
    ),
    "fill": (lambda d: tf.fill(d, 3), 2, "dims must be a vector, got shape []"),
    "fill with": (lambda x: tf.fill([2], x), [3], "value must be a scalar, got shape [1]"),
    "pad": (lambda x: tf.pad(x, [[1, 2]]), 7, "The first dimension of paddings must be the rank of inputs[1,2] []"),
    "random_uniform": (tf.random_uniform, 3, "shape must be a vector of {int32,int64}, got shape []"),
    "reshape": (lambda s: tf.reshape(7, s), 1, "sizes input must be 1-D, not []"),
    "segments": (lambda n: tf.unsorted_segment_sum([7], [1], n), [4], "num_segments should be a scalar, not shape [1]"),
    "range": (lambda x: tf.range(0, x), [3], "limit must be a scalar, not shape [1]"),
    "slice": (
        lambda b: tf.slice([1, 2], b, [1]), 0,
        "Expected begin and size arguments to be 1-D tensors of size 1, but got shapes [] and [1] instead.",
    ),
    "sparse_to_dense": (lambda s: tf.sparse_to_dense(1, s, 7), 4, "output_shape should be a vector, got shape []"),
    "tile": (lambda m: tf.tile([7], m), 2, "Expected multiples to be 1-D, but got shape []"),
    "one_hot": (lambda d: tf.one_hot([1], d), [3], "depth must be a scalar, but got: [1]"),
    "transpose": (lambda p: tf.transpose([[1]], p), 1, "perm must be a vector, not []"),
    "reverse": (lambda a: tf.reverse([1], a), 0, "'dims' must be 1-dimension, not 0"),
    "gathe": (lambda a: tf.gather([1], [0], axis=a), [0], "axis must be scala"),
    "scatter_nd": (lambda s: tf.scatter_nd([[0]], [1], s), 2, "Shape must be a vecto"),
    "expand_dims": (lambda a: tf.expand_dims([1], a), [0, 1], "'dim' must be a tensor with a single value"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_RANKS)
def test_a_run_says_which_rank_is_wrong(name):
    """Where the rank is unknown while building; messages are TensorFlow 1.15.5's."""
    build, value, message = WRONG_RANKS[name]
    with tf.Graph().as_default():
        x = tf.placeholder(tf.int32)
        y = build(x)
        with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match=f"^{re.escape(message)}"):
            sess.run(y, {x: value})


@pytest.mark.parametrize("mode", ["never", "always"])
def test_a_range_of_a_continuum_is_as_long_as_its_dtype_says_and_added_up(mode, monkeypatch):
    """What TensorFlow 1.15.5 gives: 400 numbers (401 in float64), each the one before and a float32 more."""
    monkeypatch.setenv("RETROGRAD_JIT", mode)
    with tf.Graph().as_default(), tf.Session() as running:
        x = tf.range(-2.0, 2.0, 1.0 / 100)
        assert x.shape.as_list() == [400]
        assert tf.range(tf.constant(-2.0, tf.float64), 2.0, 1.0 / 100).shape.as_list() == [401]
        values = running.run(x + 0)
    assert values.shape == (400,)
    assert values[398:].tolist() == np.array([1.9799968, 1.9899968], np.float32).tolist()


def test_zeros_like_takes_false_for_no_dtype() -> None:
    """Where the shape is known, and there alone, as in TensorFlow."""
    with tf.Graph().as_default():
        assert tf.zeros_like(tf.constant([1, 2]), False).dtype == tf.int32
        with pytest.raises(TypeError, match=r"^Cannot convert value False to a TensorFlow DType\."):
            tf.zeros_like(tf.placeholder(tf.float32, [None]), False)


def test_permutations_are_inverted_at_once() -> None:
    order = np.random.RandomState(0).permutation(3000).astype(np.int32)
    inverse = permuting.INVERT_PERMUTATION.kernel(np, order)  # type: ignore[misc]
    assert inverse.dtype == np.int32
    np.testing.assert_array_equal(inverse[order], np.arange(3000))
    assert lines_run(lambda: permuting.INVERT_PERMUTATION.kernel(np, order)) < 100  # type: ignore[misc]
    for wrong, words in (([0, 3, 1, -1], "3 is not between 0 and 3"), ([2, 0, 2], "2 is duplicated in the input")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            permuting.INVERT_PERMUTATION.kernel(np, np.array(wrong[:3]))  # type: ignore[misc]


def test_a_constant_of_nothing_is_zeros():
    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(tf.constant([], shape=[2])).tolist() == [0.0, 0.0]
        assert sess.run(tf.constant([], tf.string, shape=[1])).tolist() == [b""]
