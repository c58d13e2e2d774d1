"""Functions of ``tf.math``, ``tf.linalg`` and of the top module that are made of several ops."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import between, distinct, normal, spd
from function_table import SINGLE
from function_table import FunctionRow as Row

from retrograd import tf

M, A, V = tf.math, tf.linalg, tf.compat.v2
X = (normal(2, 3),)
FAR = (distinct(2, 3, gap=0.7),)
POSITIVE = (between(0.3, 2, 2, 3),)
BOTH = (between(0.3, 2, 2, 3), between(0.5, 3, 2, 3, seed=1))
KINDS = ("euclidean", 1, 2, 3.5, np.inf)


def reduced(x: Any) -> Any:
    return [
        tf.reduce_logsumexp(x, 1),
        tf.reduce_logsumexp(x, keepdims=True),
        V.reduce_logsumexp(x, 0),
        M.reduce_std(x, 1),
        M.reduce_variance(x, 0),
        V.reduce_sum(x, 1),
        V.reduce_mean(x, 0),
        V.reduce_max(x, 1),
        V.reduce_min(x, 0),
        V.reduce_prod(x, 1),
        tf.reduce_sum(x, 1, keep_dims=True),
        tf.reduce_mean(x, 0),
        tf.reduce_max(x),
        tf.reduce_min(x, 1),
        tf.reduce_prod(x),
    ]


def norms(x: Any) -> Any:
    one = [tf.norm(x, kind, 1) for kind in KINDS]
    return [
        *one,
        tf.norm(x),
        tf.norm(x, "fro", [0, 1]),
        tf.norm(x, 1, [0, 1]),
        V.norm(x, 2, 0),
        A.normalize(x, 2, 1)[0],
    ]


def products(x: Any, y: Any) -> Any:
    """``x`` [2, 3], ``y`` [3, 2]."""
    return [
        tf.matmul(x, y),
        tf.matmul(x, y, True, True),
        A.matvec(x, y[:, 0]),
        A.adjoint(x),
        tf.tensordot(x, y, 1),
        tf.tensordot(x, y, [[0, 1], [1, 0]]),
        tf.tensordot(x, y, 0),
        tf.einsum("ij,jk->ik", x, y),
        tf.einsum("ij,jk->k", x, y),
        tf.einsum("ij,ji", x, y),
        tf.einsum("ij->ji", x),
    ]


def factors(x: Any, y: Any) -> Any:
    """``x`` symmetric and positive definite [3, 3], ``y`` [3, 2]."""
    x = (x + tf.transpose(x)) / 2
    return [
        A.logdet(x),
        A.slogdet(x)[1],
        A.lstsq(x, y),
        A.lstsq(x, y, 0.1),
        tf.cholesky_solve(tf.cholesky(x), y),
        tf.trace(x),
        A.inv(x),
        A.solve(x, y),
        A.triangular_solve(x, y),
        A.expm(x / 8),
        A.sqrtm(x),
        A.eigvalsh(x),
        A.svd(y, compute_uv=False),
        A.qr(y)[1],
    ]


def tridiagonal(d: Any, b: Any) -> Any:
    """``d`` [3, 4] the diagonals, ``b`` [4, 2]."""
    return [
        A.tridiagonal_solve(d, b),
        A.tridiagonal_matmul(d, b),
        A.tridiagonal_solve([d[0], d[1], d[2]], b, "sequence"),
    ]


def parts(x: Any) -> Any:
    """``x`` [4, 3]."""
    return [
        tf.boolean_mask(x, [True, False, True, True]),
        V.boolean_mask(x, [False, True, True], axis=1),
        tf.batch_gather(x, [[0, 2], [1, 1], [2, 0], [0, 0]]),
        V.gather(x, [2, 0], axis=1),
        V.gather_nd(x, [[0, 1], [3, 2]]),
        tf.gather(x, [[0, 2], [1, 1], [2, 0], [0, 0]], batch_dims=1),
        V.pad(x, [[1, 0], [0, 2]]),
        V.reverse_sequence(x, [1, 2, 3, 1], 1, 0),
        V.squeeze(x[:1], 0),
        V.expand_dims(x, 1),
        V.transpose(x),
        V.scalar_mul(2.0, x),
        tf.scalar_mul(tf.reduce_sum(x), x),
        tf.repeat(x, [1, 2, 0, 1], 0),
        tf.sort(x, 1, "DESCENDING"),
        *tf.meshgrid(x[:, 0], x[0]),
        tf.saturate_cast(x, tf.float64),
        tf.to_double(x),
        V.where(x > 0, x, 2 * x),
        tf.stack([x, x], 1),
        *tf.tuple([x, 2 * x]),
        *V.tuple([x, 2 * x]),
        tf.identity_n([x, x])[1],
        tf.space_to_batch(x[None, :, :2, None], [[0, 0], [0, 0]], 2),
        tf.batch_to_space(tf.reshape(x, [4, 1, 3, 1]), [[0, 0], [0, 1]], 2),
    ]


def clipped(x: Any) -> Any:
    return [
        tf.clip_by_value(x, -0.9, 1.1),
        tf.clip_by_norm(x, 1.5),
        tf.clip_by_norm(x, 1.0, [1]),
        *tf.clip_by_global_norm([x, 2 * x], 2.0)[0],
        tf.global_norm([x, None, x]),
    ]


def folded(x: Any) -> Any:
    return [
        tf.map_fn(lambda r: r * r, x),
        tf.foldl(lambda a, r: a * r, x),
        tf.foldr(lambda a, r: a - r * r, x),
        tf.scan(lambda a, r: a * r, x),
        tf.vectorized_map(lambda r: tf.sin(r), x),
    ]


def carried(x: Any) -> Any:
    """In a scope of resource variables, as TensorFlow's rules for functions ask for."""
    with tf.variable_scope("carried", use_resource=True):
        return [tf.grad_pass_through(tf.identity)(x), tf.recompute_grad(tf.sin)(x)]


def flowing(x: Any) -> Any:
    below = lambda i, *_: i < 3  # noqa: E731
    return [
        tf.cond(tf.reduce_sum(x) < 50.0, lambda: x * x, lambda: x),
        tf.case([(tf.reduce_sum(x) < 50.0, lambda: tf.sin(x))], lambda: x),
        tf.while_loop(below, lambda i, y: (i + 1, y * x), [0, x])[1],
        V.while_loop(below, lambda i, y: (i + 1, tf.sin(y)), [0, x])[1],
        V.cond(tf.reduce_sum(x) < 50.0, lambda: x * x, lambda: x),
        V.case([(tf.reduce_sum(x) < 50.0, lambda: tf.sin(x))], lambda: x),
        tf.switch_case(tf.constant(1), [lambda: x, lambda: x**3]),
        tf.contrib.framework.smart_cond(tf.constant(True), lambda: 2 * x, lambda: x),
        tf.contrib.framework.smart_case([(tf.constant(True), lambda: 3 * x)], lambda: x),
    ]


def unary(x: Any) -> Any:
    """Of numbers above 0."""
    return [
        M.polyval([x, 2.0 * x, tf.constant(1.0, x.dtype)], x),
        M.reciprocal_no_nan(x),
        tf.log_sigmoid(x),
        tf.lbeta(x),
        M.bessel_i0(x),
        M.bessel_i1(x),
        M.bessel_i0e(x),
        M.bessel_i1e(x),
        tf.round(x) + x,
        tf.cumsum(x, 1, exclusive=True),
        tf.cumprod(x, 1, reverse=True),
        M.softplus(x),
        tf.divide(x, 2.0),
        tf.div(x, 3.0),
        x / 2,
        tf.truediv(x, x + 1),
        M.divide_no_nan(x, x * x),
        tf.unsorted_segment_mean(x, [1, 1], 2),
        tf.unsorted_segment_sqrt_n(x, [1, 1], 2),
        tf.accumulate_n([x, x]),
    ]


def sums_of_lists(x: Any, y: Any) -> Any:
    return [
        tf.add_n([x, y]),
        tf.accumulate_n([x, y]),
        tf.contrib.framework.reduce_sum_n([x, y]),
        tf.dynamic_stitch([[0, 2], [1, 3]], [x, y]),
        *tf.unstack(x + y),
        tf.concat([x, y], 1),
        tf.math.xlogy(x, y),
    ]


def sparse(v: Any, d: Any) -> Any:
    """``v`` [3] the values of a sparse matrix [2, 3], ``d`` [3, 2]."""
    s = tf.SparseTensor(np.array([[0, 0], [0, 2], [1, 1]], np.int64), v, np.array([2, 3], np.int64))
    plain = [
        s,
        tf.sparse.transpose(s),
        tf.sparse.reshape(s, [3, 2]),
        tf.sparse.expand_dims(s, 1),
        tf.sparse.reset_shape(s),
        tf.sparse.retain(s, [True, False, True]),
        tf.sparse.slice(s, [0, 1], [2, 2]),
        tf.sparse.fill_empty_rows(s, np.float64(1))[0],
        tf.sparse.softmax(s),
        tf.sparse.add(s, s),
    ]
    return [
        tf.sparse.to_dense(s),
        tf.sparse.matmul(s, d),
        tf.sparse.reduce_sum(s, 1),
        tf.sparse.from_dense(d).values,
        *[part.values for part in plain],
        tf.sparse.add(s, tf.transpose(d)),
        tf.sparse_mask(tf.IndexedSlices(d, tf.constant([0, 2, 4])), [2]).values,
    ]


ROWS = [
    Row(
        "reduce_logsumexp compat.v2.reduce_logsumexp math.reduce_std math.reduce_variance "
        "compat.v2.reduce_sum compat.v2.reduce_mean compat.v2.reduce_max compat.v2.reduce_min "
        "compat.v2.reduce_prod",
        reduced,
        X,
    ),
    Row(
        "reduce_logsumexp",
        lambda x: tf.reduce_logsumexp(x, 1),
        (np.array([[-1000.0, -1001.0], [900.0, 899.0]]),),
        label="far out",
    ),
    Row("norm compat.v2.norm linalg.normalize", norms, FAR),
    Row("matmul linalg.matvec linalg.adjoint tensordot einsum", products, (normal(2, 3), normal(3, 2))),
    Row(
        "einsum",
        lambda x, y: [
            tf.einsum("bij,bjk->bik", x, y),
            tf.einsum("...ij,...jk->...ik", x, y),
            tf.einsum("bij,bij->b", x, y),
        ],
        (normal(2, 2, 2), normal(2, 2, 2, seed=1)),
        label="of batches",
    ),
    Row(
        "linalg.logdet linalg.slogdet linalg.lstsq cholesky_solve trace linalg.expm",
        factors,
        (spd(3), normal(3, 2)),
        tolerance=1e-4,
    ),
    Row("linalg.pinv", A.pinv, (normal(3, 2),)),
    Row(
        "linalg.tridiagonal_solve linalg.tridiagonal_matmul",
        tridiagonal,
        (normal(3, 4) + np.array([[0], [4], [0]]), normal(4, 2)),
        orders=1,
    ),
    Row(
        "boolean_mask batch_gather compat.v2.gather compat.v2.gather_nd compat.v2.pad "
        "compat.v2.reverse_sequence scalar_mul repeat sort meshgrid saturate_cast tuple "
        "compat.v2.transpose compat.v2.squeeze compat.v2.expand_dims compat.v2.boolean_mask "
        "compat.v2.scalar_mul space_to_batch batch_to_space",
        parts,
        (distinct(4, 3),),
        tolerance=1e-3,
        step=1e-3,
        rounding=1e-6,
    ),
    Row("clip_by_value clip_by_norm clip_by_global_norm global_norm", clipped, FAR),
    Row("map_fn foldl foldr scan vectorized_map", folded, POSITIVE),
    Row(
        "cond case while_loop compat.v2.while_loop compat.v2.cond compat.v2.case switch_case "
        "contrib.framework.smart_cond contrib.framework.smart_case",
        flowing,
        X,
    ),
    Row(
        "math.polyval math.reciprocal_no_nan log_sigmoid lbeta math.bessel_i0 math.bessel_i1 divide div "
        "unsorted_segment_mean unsorted_segment_sqrt_n",
        unary,
        POSITIVE,
    ),
    Row("add_n accumulate_n contrib.framework.reduce_sum_n", sums_of_lists, BOTH),
    Row(
        "sparse.to_dense sparse.matmul sparse.reduce_sum sparse.from_dense sparse.transpose "
        "sparse.reshape sparse.expand_dims sparse.reset_shape sparse.retain sparse.slice "
        "sparse.fill_empty_rows sparse.softmax sparse.add sparse_mask",
        sparse,
        (normal(3), normal(3, 2)),
        orders=1,
    ),
    Row("to_float cast", lambda x: [tf.to_float(x), tf.cast(x, tf.float32)], X, **SINGLE),
    Row(
        "complex real imag angle conj to_complex128 abs",
        lambda x, y: [
            tf.abs(tf.complex(x, y)),
            tf.real(tf.conj(tf.complex(x, y)) * tf.to_complex128(x)),
            tf.angle(tf.complex(x, y)),
            tf.imag(tf.complex(x, y)),
        ],
        BOTH,
        orders=1,
    ),
    Row("sin", carried, POSITIVE, label="by grad_pass_through and recompute_grad"),
    Row("clip_by_average_norm", lambda x: tf.clip_by_average_norm(tf.cast(x, tf.float32), 0.2), X, **SINGLE),
    Row(
        "hessians compat.v2.hessians",
        lambda x: [*tf.hessians(tf.reduce_sum(x**3), x), *V.hessians(tf.reduce_sum(tf.sin(x)), x)],
        (normal(3),),
    ),
    Row("gradients compat.v2.gradients", lambda x: [*tf.gradients(tf.sin(x), x), *V.gradients(x**3, x)], X),
]
