"""Sparse tensors and slices against TensorFlow 1.15.5: nodes, values, gradients and messages of ``sparse.json.gz``."""

from __future__ import annotations

import gzip
import json
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import sparse_cases
from golden.array_cases import plain
from steps_taken import lines_run
from test_arrays import _error, _nodes, _same, _without_values

from retrograd import tf
from retrograd.ops import sparse, sparse_arithmetic

GOLDEN = json.loads(gzip.decompress((Path(__file__).parent / "golden" / "sparse.json.gz").read_bytes()))


@pytest.mark.parametrize("name", sparse_cases.CASES)
def test_as_recorded(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # slices that become dense warn, as they do in TensorFlow
        want = GOLDEN[name]
        orders = len(want.get("kinds", [0])) - 1  # those that TensorFlow has; retrograd may have more
        got = sparse_cases.outcome(tf, np, sparse_cases.CASES[name], plain, _nodes, _error, orders)
    got = json.loads(json.dumps(got))
    assert _without_values(got.get("error")) == _without_values(want.get("error"))
    begun = ("first/", "second/")[orders:] if "no gradient" in want else ()
    nodes = [n for n in want["nodes"] if not n["name"].startswith(tuple(begun))]
    if not name.startswith("error: "):
        assert got["kinds"] == want["kinds"]
        assert got["nodes"] == nodes or "[values: " in name
    for ours, theirs in zip(got.get("values", []), want.get("values", []), strict=True):
        assert _same(ours, theirs), (ours, theirs)


# -- what the record cannot hold -----------------------------------------------------------------

PLACES = [[0, 1], [1, 0], [1, 2]]
DERIVATIVES_BEYOND = {
    "maximum": lambda s, r: tf.sparse_maximum(s, r).values,
    "minimum": lambda s, r: tf.sparse_minimum(s, r).values,
    "softmax twice": lambda s, r: tf.gradients(tf.square(tf.sparse_softmax(s).values), s.values)[0],
    "times a number": lambda s, r: (s * tf.reduce_sum(s.values)).values,
    "split": lambda s, r: tf.square(tf.sparse_split(sp_input=s, num_split=2, axis=1)[0].values),
    "largest": lambda s, r: tf.sparse_reduce_max(s, 1),
    "sums, sparse": lambda s, r: tf.square(tf.sparse_reduce_sum_sparse(s, 1).values),
    "largest, sparse": lambda s, r: tf.sparse_reduce_max_sparse(s, 0).values,
}


@pytest.mark.parametrize("name", DERIVATIVES_BEYOND)
def test_sparse_derivatives_that_tensorflow_lacks(name: str) -> None:
    with tf.Graph().as_default(), tf.Session():
        v = tf.placeholder(tf.float64, [3])
        s = tf.SparseTensor(PLACES, v, [2, 3])
        r = tf.SparseTensor([[0, 1], [1, 1]], [0.5, -0.25], [2, 3])
        r = tf.SparseTensor(r.indices, tf.cast(r.values, tf.float64), r.dense_shape)
        y = DERIVATIVES_BEYOND[name](s, r)
        at = np.array([0.75, -1.0, 2.0])
        count = len(tf.get_default_session().run(y, {v: at}))
        assert tf.test.compute_gradient_error(v, [3], y, [count], at, delta=1e-5) < 1e-8


def test_complex_sparse_products_are_differentiated() -> None:
    with tf.Graph().as_default(), tf.Session():
        for adjoint_a in (False, True):
            v, b = tf.placeholder(tf.complex128, [3]), tf.placeholder(tf.complex128, [2, 2 if adjoint_a else 3])
            y = tf.sparse_tensor_dense_matmul(
                tf.SparseTensor(PLACES, v, [2, 3]), b, adjoint_a=adjoint_a, adjoint_b=not adjoint_a
            )
            at = [np.array([1 + 2j, -0.5j, 0.25]), np.arange(b.shape.num_elements()).reshape(b.shape) * (1 - 0.5j)]
            for x, shape in ((v, [3]), (b, b.shape)):
                feeds = {v: at[0], b: at[1]}
                init = feeds.pop(x)
                error = tf.test.compute_gradient_error(x, shape, y, y.shape, init, 1e-5, extra_feed_dict=feeds)
                assert error < 1e-8


@pytest.mark.parametrize("adjoint", [False, True])
@pytest.mark.parametrize("dtype", [tf.float32, tf.complex64])
def test_products_of_many_terms_are_the_same_bits(monkeypatch: pytest.MonkeyPatch, dtype: Any, adjoint: bool) -> None:
    random = np.random.RandomState(0)
    places = random.randint(0, 40, (300, 2))  # in no order, and some of them twice
    results = []
    for many in (1, 1 << 60):
        monkeypatch.setattr(sparse_arithmetic, "_MANY_TERMS", many)
        monkeypatch.setattr(sparse_arithmetic, "_SOME_TERMS", many)
        random.seed(1)
        with tf.Graph().as_default(), tf.Session() as sess:
            a = tf.SparseTensor(places, tf.cast(random.randn(300), dtype), [40, 40])
            y = tf.sparse_tensor_dense_matmul(a, tf.cast(random.randn(40, 7), dtype), adjoint_a=adjoint)
            results.append(sess.run(y))
    assert results[0].dtype == results[1].dtype
    np.testing.assert_array_equal(*results)


def test_a_place_outside_of_a_sparse_factor_is_refused() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        a = tf.SparseTensor(np.array([[0, 0], [-1, 1]]), [1.0, 2.0], [2, 3])
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"m \(-1\) from index\[1,0\] out of bounds \(>=2\)"):
            sess.run(tf.sparse_tensor_dense_matmul(a, tf.ones([3, 1])))


def test_a_sparse_slice_outside_is_empty() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        s = tf.SparseTensor(PLACES, [1.0, 2.0, 3.0], [2, 3])
        part = sess.run(tf.sparse_slice(s, [3, 1], [5, 5]))
        assert part.values.tolist() == []
        assert part.dense_shape.tolist() == [0, 2]


def test_slices_are_differentiated_by_their_values() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        t = tf.constant([[1.0], [2.0], [3.0]])
        (slices,) = tf.gradients(tf.square(tf.gather(t, [2, 0, 2])), t)
        (again,) = tf.gradients(slices, t)
        assert isinstance(slices, tf.IndexedSlices)
        np.testing.assert_array_equal(sess.run(tf.convert_to_tensor(again)), [[2.0], [0.0], [4.0]])


@pytest.mark.parametrize("seed", range(4))
def test_the_first_wrong_coordinate_is_told(seed: int) -> None:
    """As one by one: what is in order is passed over at once."""
    random = np.random.RandomState(seed)
    rows = np.array([[i, j] for i in range(30) for j in range(20) if random.rand() < 0.5])
    sparse.check_coordinates(rows, (30, 20))
    assert lines_run(lambda: sparse.check_coordinates(rows, (30, 20))) < len(rows)
    at = 5 + random.randint(len(rows) - 10)
    for wrong, words in (
        (rows[at - 1], "is repeated"), (rows[at - 2], "is out of order"), ((30, 0), "is out of bounds: need"),
    ):  # fmt: skip
        changed = np.array(rows)
        changed[at] = wrong
        with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(f"indices[{at}] = ") + f".* {words}"):
            sparse.check_coordinates(changed, (30, 20))


def test_rows_of_which_none_is_empty_stay_as_they_are() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        order = [[0, 1], [1, 0], [1, 2], [2, 2]]
        for places in (order, [order[i] for i in (2, 0, 3, 1)]):
            filled, empty = tf.sparse_fill_empty_rows(tf.SparseTensor(places, [1.0, 2.0, 3.0, 4.0], [3, 3]), 9.0)
            found, marks = sess.run([filled, empty])
            assert found.indices[:, 0].tolist() == [0, 1, 1, 2]
            assert not marks.any()


def _fed_sparse() -> tuple[Any, Any, Any]:
    """A sparse tensor that is fed, what is computed of it and a dense one, and that one."""
    sp = tf.sparse_placeholder(tf.float32)
    dense = tf.placeholder(tf.float32, [2, 3])
    products = [tf.sparse_tensor_to_dense(sp, validate_indices=checks) for checks in (True, False)]
    products += [(sp * dense).values, (sp / (dense + 1.0)).values, (sp * tf.reduce_sum(dense)).values]
    return sp, [tf.exp(tf.sin(y * 2.0)) for y in [*products, *tf.gradients(products, [sp.values, dense])]], dense


@pytest.mark.parametrize("mode", ["never", "always"])
def test_fed_coordinates_in_either_tier(monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", "off")
    monkeypatch.setenv("RETROGRAD_JIT", mode)
    right = ([[0, 1], [1, 0], [1, 2]], [2.0, 3.0, 5.0], [2, 3])
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    with tf.Graph().as_default(), tf.Session() as sess:
        sp, wanted, dense = _fed_sparse()
        results = sess.run(wanted, {sp: right, dense: x})
        filled = np.array([[0, 2, 0], [3, 0, 5]], np.float32)
        at = np.array([1.0, 3.0, 5.0])
        values = np.array([2.0, 3.0, 5.0])
        d_values = np.array([1.0, 1.0, 1.0]) * 2 + at + 1 / (at + 1) + 15.0
        d_dense = np.zeros((2, 3))
        d_dense[[0, 1, 1], [1, 0, 2]] = values - values / (at + 1) ** 2
        d_dense += values.sum()
        for result, y in zip(
            results, [filled, filled, values * at, values / (at + 1), values * 15.0, d_values, d_dense], strict=True
        ):
            np.testing.assert_allclose(result, np.exp(np.sin(y * 2.0)), rtol=1e-4)
        for places, words in (
            ([[0, 1], [0, 1], [1, 2]], r"indices\[1\] = \[0,1\] is repeated"),
            ([[1, 0], [0, 1], [1, 2]], r"indices\[1\] = \[0,1\] is out of order"),
            ([[0, 1], [1, 0], [1, 3]], r"indices\[2\] = \[1,3\] is out of bounds"),
        ):
            with pytest.raises(tf.errors.InvalidArgumentError, match=words):
                sess.run(wanted[0], {sp: (places, *right[1:])})
        compiled = [k.compiled for _, p in sess._prepared.values() for k in p.kinds.values()]
        assert all(compiled) == (mode == "always")
