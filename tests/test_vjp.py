"""Ops that have a kernel and no gradient rule are differentiated through the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.grad import registry
from retrograd.grad.vjp import vjp_gradient
from retrograd.tf import raw_ops


@pytest.fixture
def sess() -> Iterator[Any]:
    with tf.Graph().as_default(), tf.Session() as sess:
        yield sess


def normal(*dims: int, seed: int = 0) -> Any:
    return np.random.RandomState(seed).randn(*dims)


X, Y = normal(2, 3), normal(2, 3, seed=1)

# Builds an op that has a rule too: of lists, of static inputs, with attributes, of integers, of complex numbers.
BUILDS: dict[str, Callable[..., Any]] = {
    "ConcatV2": lambda x, y: tf.concat([x, y, x], 1),
    "Pack": lambda x, y: tf.stack([x, y], axis=-1),
    "Unpack": lambda x, y: tf.unstack(x * y, axis=1),
    "SplitV": lambda x, y: tf.split(x * y, [1, 2], axis=1),
    "StridedSlice": lambda x, y: (x * y)[::-1, tf.newaxis, 1:],
    "GatherV2": lambda x, y: tf.gather(x * y, [[2, 0]], axis=1),
    "LeakyRelu": lambda x, y: tf.nn.leaky_relu(x * y, 0.3),
    "MatMul": lambda x, y: tf.matmul(x, y, transpose_b=True),
    "SelectV2": lambda x, y: tf.where_v2([[True], [False]], x, y[0]),
    "Sum": lambda x, y: tf.reduce_sum(x * y, [0], keepdims=True),
    "TopKV2": lambda x, y: tf.nn.top_k(x * y, 2),
    "UnsortedSegmentMax": lambda x, y: tf.unsorted_segment_max(x * y, [1, 1], 2),
    "DynamicStitch": lambda x, y: tf.dynamic_stitch([[0, 3], [2, 1]], [x, y]),
    "Mul": lambda x, y: parts(tf.complex(x, y) * tf.complex(y, y)),
    "Exp": lambda x, y: parts(tf.exp(tf.complex(x, y))),
    "Conj": lambda x, y: parts(tf.conj(tf.complex(x, y))),
}


def parts(z: Any) -> list[Any]:
    return [tf.real(z), tf.imag(z)]


@pytest.mark.parametrize("op_type", BUILDS)
def test_it_gives_what_a_rule_gives(op_type: str, sess: Any, monkeypatch: Any) -> None:
    x, y = tf.constant(X), tf.constant(Y)
    built = BUILDS[op_type](x, y)
    results = [t for t in (built if isinstance(built, list | tuple) else [built]) if t.dtype.is_floating]
    dys = [tf.constant(normal(*t.shape.as_list(), seed=i)) for i, t in enumerate(results)]
    by_rule = tf.gradients(results, [x, y], dys)
    known = registry.gradient_of
    monkeypatch.setattr(
        "retrograd.grad.gradients.gradient_of", lambda op: vjp_gradient if op.type == op_type else known(op)
    )
    by_kernel = tf.gradients(results, [x, y], dys)
    assert op_type in {op.type for op in sess.graph.get_operations()}
    assert "VJP" in {op.type for op in sess.graph.get_operations()}
    for a, b in zip(by_rule, by_kernel, strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            np.testing.assert_allclose(*sess.run([a, b]), rtol=1e-12, atol=1e-14)


def test_ops_that_tensorflow_does_not_differentiate(sess: Any) -> None:
    """TensorFlow 1.15.5 says of each: No gradient defined for operation."""
    x = tf.constant([0.3, -1.5, 2.0], tf.float64)
    (softsign,) = tf.gradients(tf.nn.softsign(x), x)
    functions = [
        softsign,
        tf.guarantee_const(x) ** 2,
        raw_ops.TruncateMod(x=x * x, y=tf.constant(0.4, tf.float64)),
        tf.segment_prod(x, [0, 0, 2]),
        raw_ops.Bincount(arr=[1, 0, 1], size=2, weights=x**3),
        raw_ops.ParallelConcat(values=[x[None], x[None] ** 2], shape=[2, 3]),
        tf.unique(x).y ** 2,
        tf.setdiff1d(x, tf.constant([2.0], tf.float64)).out ** 2,
        tf.igamma(tf.abs(x), tf.abs(x)),
    ]
    x_value, signs = np.array([0.3, -1.5, 2.0]), np.array([1, -1, 1])
    want = {
        0: -2 * signs / (1 + np.abs(x_value)) ** 3,
        1: 2 * x_value,
        2: 2 * x_value,
        3: [-1.5, 0.3, 1.0],
        4: 3 * x_value**2,
        5: 1 + 2 * x_value,
        6: 2 * x_value,
        7: [0.6, -3.0, 0.0],
    }
    for i, y in enumerate(functions):
        (dx,) = tf.gradients(y, x)
        assert dx.shape == x.shape
        if i in want:
            np.testing.assert_allclose(sess.run(dx), want[i], rtol=1e-12)


def test_any_order(sess: Any) -> None:
    x = tf.placeholder(tf.float64, [2])
    y = tf.nn.softsign(x)
    for _ in range(5):
        (y,) = tf.gradients(y, x)
    value = np.array([0.3, -1.5])
    np.testing.assert_allclose(sess.run(y, {x: value}), 120 / (1 + np.abs(value)) ** 6, rtol=1e-12)


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16, tf.float32, tf.float64])
def test_dtypes(dtype: Any, sess: Any) -> None:
    x = tf.cast(tf.constant([0.5, -0.5]), dtype)
    (dx,) = tf.gradients(tf.gradients(tf.nn.softsign(x), x)[0], x)
    assert dx.dtype == dtype
    np.testing.assert_allclose(sess.run(tf.cast(dx, tf.float64)), [-0.5926, 0.5926], rtol=1e-2)


def test_unknown_shapes(sess: Any) -> None:
    x = tf.placeholder(tf.float32)
    (dx,) = tf.gradients(tf.gradients(tf.nn.softsign(x), x)[0], x)
    assert dx.shape.rank is None
    for shape in ((), (2,), (2, 3)):
        assert sess.run(dx, {x: np.ones(shape)}).shape == shape


def test_the_node_says_of_which_op(sess: Any) -> None:
    x = tf.constant([1.0, 2.0])
    y = tf.segment_mean(x, [0, 0])
    dx = vjp_gradient(y.op, tf.constant([3.0]))
    assert dx[1] is None
    node = dx[0].op.node_def
    assert node.op == "VJP"
    assert node.attr["f"].func.name == "SegmentMean"
    assert node.attr["f"].func.attr["T"].type == tf.float32.as_datatype_enum
    assert sess.run(dx[0]).tolist() == [1.5, 1.5]


REFUSED = {
    "Bitcast": lambda x: tf.bitcast(x, tf.float32),
    "RandomShuffle": tf.random_shuffle,
    "ScatterUpdate": lambda x: tf.scatter_update(tf.Variable([1.0, 2.0], use_resource=False), [0, 1], x),
    "ApplyGradientDescent": lambda x: raw_ops.ApplyGradientDescent(
        var=tf.Variable([1.0, 2.0], use_resource=False)._ref(), alpha=0.1, delta=x
    ),
}


@pytest.mark.parametrize("op_type", REFUSED)
def test_what_has_no_derivative_is_refused(op_type: str, sess: Any) -> None:
    x = tf.constant([1.0, 2.0])
    y = REFUSED[op_type](x)
    with pytest.raises(LookupError) as raised:
        tf.gradients(y, x)
    assert str(raised.value) == f"No gradient defined for operation '{y.op.name}' (op type: {op_type})"


def test_a_rule_of_the_users_goes_first(sess: Any) -> None:
    """Types without a rule can be registered, as in TensorFlow."""
    tf.RegisterGradient("SegmentProdForTest")(lambda op, dy: [dy[0] * 7 * op.inputs[0], None])
    x = tf.constant([2.0, 3.0])
    with sess.graph.gradient_override_map({"SegmentProd": "SegmentProdForTest"}):
        y = tf.segment_prod(x, [0, 0])
    assert sess.run(tf.gradients(y, x)[0]).tolist() == [14.0, 21.0]
    tf.RegisterGradient("Mod")(lambda op, dy: [dy * 5, None])
    try:
        assert sess.run(tf.gradients(raw_ops.Mod(x=x, y=x), x)[0]).tolist() == [5.0, 5.0]
    finally:
        del registry.REGISTERED["Mod"]


# -- special points ----------------------------------------------------------------------------

nan, inf = np.nan, np.inf
SPECIAL: list[tuple[str, Any, Any]] = [
    ("tf.segment_prod(x, [0, 0, 0])", [0.0, 3.0, 4.0], [12.0, 0.0, 0.0]),
    ("tf.segment_prod(x, [0, 0, 0])", [0.0, 3.0, 0.0], [0.0, 0.0, 0.0]),
    ("tf.segment_prod(x, [0, 2, 2])", [5.0, 3.0, 4.0], [1.0, 4.0, 3.0]),
    ("tf.unique(x).y", [2.0, 3.0, 2.0], [0.5, 1.0, 0.5]),
    ("tf.unique_with_counts(x).y * [1., 10.]", [2.0, 3.0, 2.0], [0.5, 10.0, 0.5]),
    ("tf.setdiff1d(x, [2.0]).out", [2.0, 3.0, 2.0, 4.0], [0.0, 1.0, 0.0, 1.0]),
    ("tf.setdiff1d(x, x).out", [2.0, 3.0], [0.0, 0.0]),
    ("raw_ops.Bincount(arr=[0, 9, 0], size=2, weights=x)", [1.0, 2.0, 3.0], [1.0, 0.0, 1.0]),
    ("raw_ops.Mod(x=x, y=tf.constant(2.0))", [-3.0, 5.0, 0.0], [1.0, 1.0, 1.0]),
    ("raw_ops.Mod(x=tf.constant(7.5), y=x)", [2.0, -2.0], [-3.0, 3.0]),
    ("raw_ops.SoftsignGrad(gradients=x, features=tf.constant([0., inf, -1.]))", [1.0, 1.0, 1.0], [1.0, 0.0, 0.25]),
    ("tf.sparse_segment_mean(x[:, None], [0, 0, 1], [0, 0, 0])", [3.0, 6.0], [2 / 3, 1 / 3]),
]


@pytest.mark.parametrize(("code", "value", "want"), SPECIAL, ids=[f"{code}-{v}" for code, v, _ in SPECIAL])
def test_special_points(code: str, value: Any, want: Any, sess: Any) -> None:
    x = tf.constant(value)
    y = eval(code, {"tf": tf, "raw_ops": raw_ops, "x": x, "inf": inf, "nan": nan})
    np.testing.assert_allclose(sess.run(tf.gradients(y, x)[0]), want, rtol=1e-6)


# -- where TensorFlow stops, or errs -------------------------------------------------------------


def test_second_derivative_of_sparse_cross_entropy(sess: Any) -> None:
    """TensorFlow refuses it; the Hessian of a row is diag(p) - p p^T."""
    logits = tf.constant([[1.0, 2.0, 0.5]])
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=logits)
    (slope,) = tf.gradients(loss, logits)
    assert "PreventGradient" in {op.type for op in sess.graph.get_operations()}
    hessian = np.array([sess.run(tf.gradients(slope[0, i], logits)[0])[0] for i in range(3)])
    p = np.exp([1.0, 2.0, 0.5]) / np.exp([1.0, 2.0, 0.5]).sum()
    np.testing.assert_allclose(hessian, np.diag(p) - np.outer(p, p), atol=1e-7)
    with pytest.raises(LookupError, match="explicitly disabled"):
        tf.gradients(raw_ops.PreventGradient(input=logits), logits)


def test_gradient_of_atan2_of_other_shapes(sess: Any) -> None:
    y, x = tf.constant(np.abs(X)), tf.constant(np.abs(Y[0]))
    dy, dx = tf.gradients(tf.atan2(y, x), [y, x])
    squares = np.abs(X) ** 2 + np.abs(Y[0]) ** 2
    np.testing.assert_allclose(sess.run(dy), np.abs(Y[0]) / squares)
    np.testing.assert_allclose(sess.run(dx), (-np.abs(X) / squares).sum(0))


def test_hessian_of_a_determinant(sess: Any) -> None:
    """det [[a, b], [c, d]] = a d - b c."""
    x = tf.constant([[3.0, 1.0], [2.0, 5.0]])
    (slope,) = tf.gradients(tf.matrix_determinant(x), x)
    hessian = [sess.run(tf.gradients(s, x)[0]).ravel() for s in tf.unstack(tf.reshape(slope, [4]))]
    want = [[0, 0, 0, 1], [0, 0, -1, 0], [0, -1, 0, 0], [1, 0, 0, 0]]
    np.testing.assert_allclose(hessian, want, atol=1e-5)


def test_a_kernel_that_cannot_be_followed_says_so(sess: Any) -> None:
    y = tf.unique(tf.constant([1.0, 2.0])).y
    dx = vjp_gradient(y.op, tf.constant([1.0, 1.0]), None)
    with pytest.raises(tf.errors.UnimplementedError, match="The derivative of Unique was to be taken") as raised:
        sess.run(dx[0])
    assert 'give it a rule:  @tf.RegisterGradient("Unique")' in raised.value.message
