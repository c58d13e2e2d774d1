"""Small programs over reductions, matrix ops and neural-network ops, written against any ``tf``.

Each case builds a graph and returns what to fetch; ``record_linear.py`` runs them all under
TensorFlow 1.15.5, ``test_linear.py`` under retrograd.
"""

import numpy as np

CASES = {}


def case(name, build):
    assert name not in CASES, name
    CASES[name] = build


def derivatives(tf, y, xs, order=2):
    """``y``, its gradient, and the gradient of that; or less, by ``order``."""
    fetches = [y] + (tf.gradients(y, xs) if order else [])
    if order == 2:
        first = [g for g in fetches[1:] if g is not None]
        fetches += tf.gradients(first, xs)
    return fetches


def values(*shape, **options):
    """Fixed numbers, a few of them equal, some zero."""
    random = np.random.RandomState(options.get("seed", 0))
    numbers = random.randint(-4, 5, shape) * options.get("step", 0.5)
    return numbers.astype(options.get("dtype", np.float32))


def smooth(*shape, **options):
    """Fixed numbers, all different."""
    random = np.random.RandomState(options.get("seed", 0))
    return (random.rand(*shape) * 2 - options.get("low", 1)).astype(options.get("dtype", np.float32))


# -- reductions --------------------------------------------------------------------------------


def reduction(function, data, order=2, shape=None, **arguments):
    """A reduction of a constant, or of a placeholder with a default and the static ``shape``."""

    def build(tf):
        x = tf.constant(data, name="x")
        if shape is not None:
            x = tf.placeholder_with_default(x, None if shape == "unknown" else shape)
        y = find(tf, function)(x, **arguments)
        return derivatives(tf, y, [x], order)

    return build


def find(tf, path):
    for part in path.split("."):
        tf = getattr(tf, part)
    return tf


for _name in (
    "reduce_sum",
    "reduce_mean",
    "reduce_prod",
    "reduce_max",
    "reduce_min",
    "reduce_logsumexp",
    "math.reduce_std",
    "math.reduce_variance",
    "math.reduce_euclidean_norm",
):
    _data = values(3, 4)
    _order = 1 if _name.endswith("euclidean_norm") else 2
    case(_name, reduction(_name, _data, _order))
    case(_name + "/axis", reduction(_name, _data, _order, axis=1))
    case(_name + "/axes kept", reduction(_name, values(2, 3, 4), _order, axis=[0, -1], keepdims=True))
    case(_name + "/partly known", reduction(_name, _data, 1, (None, 4), axis=0))
    case(_name + "/unknown", reduction(_name, _data, 1, "unknown"))
case("reduce_sum/old names", reduction("reduce_sum", values(3, 4), reduction_indices=[1], keep_dims=True))
case("reduce_sum/int64 axis", reduction("reduce_sum", values(3, 4), axis=np.array([1], np.int64)))
case("reduce_sum/no axis", reduction("reduce_sum", values(3, 4), axis=[]))
case(
    "reduce_sum/list", lambda tf: [tf.reduce_sum([1.0, 2.0]), tf.reduce_max([1, 2], 0), tf.reduce_logsumexp([1.0, 2.0])]
)
case("reduce_sum/empty", reduction("reduce_sum", values(0, 4), axis=0))
case("reduce_mean/integers", reduction("reduce_mean", np.array([[1, 2], [3, -4]], np.int32), 1, axis=1))
case("reduce_mean/negative integers", reduction("reduce_mean", np.array([-3, -4], np.int32), 1))
case("reduce_prod/zeros", reduction("reduce_prod", np.array([[0, 2, 3], [0, 0, 4], [1, 2, 3]], np.float32), axis=1))
case("reduce_prod/complex", reduction("reduce_sum", np.array([1 + 2j, 3 - 1j], np.complex64), 0))
case("reduce_max/ties", reduction("reduce_max", np.array([[2, 2, 1], [0, 0, 0]], np.float32), axis=1))
case(
    "reduce_logsumexp/extremes",
    reduction(
        "reduce_logsumexp",
        np.array([[1000, 1001], [-np.inf, -np.inf], [np.inf, 0], [-1e30, 1e30]], np.float32),
        1,
        axis=1,
    ),
)
case("euclidean norm/zero", reduction("math.reduce_euclidean_norm", np.zeros(3, np.float32), 1))
case("std/constant", reduction("math.reduce_std", np.ones(3, np.float32), 1))


def logical(tf):
    x = tf.constant([[True, False], [True, True]])
    return [
        tf.reduce_all(x),
        tf.reduce_any(x, 0),
        tf.reduce_all(x, axis=1, keepdims=True),
        tf.reduce_any(x, reduction_indices=[0, 1], keep_dims=True),
    ]


case("reduce_all and any", logical)


def counting(tf):
    x = tf.constant([[0.0, 1.5, 0.0], [2.0, 0.0, -1.0]])
    return [
        tf.count_nonzero(x),
        tf.count_nonzero(x, 1),
        tf.count_nonzero(x, axis=0, keepdims=True, dtype=tf.int32),
        tf.count_nonzero(tf.constant(["", "a", "  "])),
        tf.math.count_nonzero(x, axis=[0, 1]),
        tf.nn.zero_fraction(x),
        tf.nn.zero_fraction(tf.placeholder_with_default(x, [None, 3]), name="z"),
    ]


case("counting", counting)


def places(tf):
    x = tf.constant([[3.0, 1.0, 3.0], [2.0, 5.0, 5.0]])
    y = tf.placeholder_with_default(x, None)
    return [
        tf.argmax(x),
        tf.argmax(x, 1),
        tf.argmin(x, axis=-1, output_type=tf.int32),
        tf.argmin(x, dimension=0),
        tf.argmax(y, 1),
        tf.arg_max(x, 1),
        tf.arg_min(x, dimension=1),
    ] + tf.gradients(tf.cast(tf.argmax(x, 1), tf.float32), x)


case("argmax and argmin", places)


def joining(tf):
    x = tf.constant([["a", "b"], ["c", "d"]])
    return [
        tf.reduce_join(x, 0),
        tf.reduce_join(x, [0, 1], separator="-"),
        tf.reduce_join(x, keep_dims=True),
        tf.strings.reduce_join(x, 1),
    ]


case("reduce_join", joining)


def scanning(tf):
    x = tf.constant(values(3, 4), name="x")
    return sum(
        [
            derivatives(tf, y, [x])
            for y in (
                tf.cumsum(x),
                tf.cumsum(x, 1, exclusive=True),
                tf.cumsum(x, -1, reverse=True, name="c"),
                tf.cumsum(x, axis=0, exclusive=True, reverse=True),
            )
        ],
        [],
    )


case("cumsum", scanning)


def scanning_products(tf):
    x = tf.constant(smooth(3, 4, low=3), name="x")
    return sum(
        [
            derivatives(tf, y, [x])
            for y in (tf.cumprod(x), tf.math.cumprod(x, 1, exclusive=True), tf.cumprod(x, -1, reverse=True, name="c"))
        ],
        [],
    )


case("cumprod", scanning_products)

# -- products ----------------------------------------------------------------------------------


def product(a, b, static=None, order=2, **options):
    def build(tf):
        x, y = tf.constant(a, name="x"), tf.constant(b, name="y")
        if static is not None:
            x, y = tf.placeholder_with_default(x, static[0]), tf.placeholder_with_default(y, static[1])
        return derivatives(tf, tf.matmul(x, y, **options), [x, y], order)

    return build


for _ta in (False, True):
    for _tb in (False, True):
        _a = values(*((3, 2) if _ta else (2, 3)))
        _b = values(*((4, 3) if _tb else (3, 4)))
        case("matmul/%d%d" % (_ta, _tb), product(_a, _b, transpose_a=_ta, transpose_b=_tb))
        _a = values(*((5, 3, 2) if _ta else (5, 2, 3)))
        _b = values(*((5, 4, 3) if _tb else (5, 3, 4)))
        case("matmul/batch %d%d" % (_ta, _tb), product(_a, _b, transpose_a=_ta, adjoint_b=_tb))
        case("matmul/broadcast %d%d" % (_ta, _tb), product(_a[:1], _b, adjoint_a=_ta, transpose_b=_tb))
case("matmul/rank 3 and 2", product(values(2, 3, 4)[:1], values(4, 2)[None]))
case("matmul/unknown", product(values(2, 3), values(3, 2), ((None, 3), None), 1))
case("matmul/unknown both", product(values(2, 3), values(3, 2), (None, None), 1))
case("matmul/unknown batch", product(values(2, 2, 3), values(2, 3, 2), ((None, 2, 3), (None, None, None)), 1))
case(
    "matmul/complex",
    product(np.array([[1 + 1j, 2]], np.complex64), np.array([[1j, 1]], np.complex64), None, 0, adjoint_b=True),
)
case("matmul/integers", product(np.array([[1, 2]], np.int32), np.array([[3], [4]], np.int32), None, 0))


def sparse_flags(tf):
    x, y = tf.constant(values(2, 3), name="x"), tf.constant(values(3, 2), name="y")
    return derivatives(tf, tf.matmul(x, y, a_is_sparse=True), [x, y]) + [
        tf.matmul(y, x, b_is_sparse=True, transpose_a=True, transpose_b=True),
        tf.sparse_matmul(x, y, b_is_sparse=True),
    ]


case("matmul/sparse flags", sparse_flags)


def operators(tf):
    x = tf.constant(values(2, 3), name="x")
    return [
        x @ np.ones((3, 2), np.float32),
        [[1.0, 2.0]] @ x,
        tf.matmul([[1.0]], [[2.0]]),
        tf.linalg.matvec(x, [1.0, 2.0, 3.0]),
        tf.linalg.matvec(x, [1.0, 2.0], transpose_a=True, name="m"),
    ]


case("matmul/operator", operators)


def contraction(a, b, axes, static=None):
    def build(tf):
        x, y = tf.constant(a, name="x"), tf.constant(b, name="y")
        if static is not None:
            x, y = tf.placeholder_with_default(x, static[0]), tf.placeholder_with_default(y, static[1])
        return derivatives(tf, tf.tensordot(x, y, axes), [x, y], 1)

    return build


case("tensordot/1", contraction(values(2, 3), values(3, 4), 1))
case("tensordot/2", contraction(values(2, 3, 4), values(3, 4, 5), 2))
case("tensordot/lists", contraction(values(2, 3, 4), values(4, 5, 2), [[0, 2], [2, 0]]))
case("tensordot/negative", contraction(values(2, 3, 4), values(4, 5, 2), [[-1], [0]]))
case("tensordot/vectors", contraction(values(3), values(3), [[0], [0]]))
case("tensordot/outer", contraction(values(3), values(2), 0))
case("tensordot/partly known", contraction(values(2, 3, 4), values(4, 5), 1, ((None, 3, 4), (4, None))))
case(
    "tensordot/partly known lists", contraction(values(2, 3, 4), values(4, 5), [[2], [0]], ((None, None, 4), (4, None)))
)
case("tensordot/unknown", contraction(values(2, 3, 4), values(4, 5), [[2], [0]], (None, None)))
case("tensordot/unknown right", contraction(values(2, 3, 4), values(4, 5), [[2], [0]], ((2, 3, 4), None)))


def summation(equation, *shapes_):
    def build(tf):
        xs = [tf.constant(values(*s), name="x%d" % i) for i, s in enumerate(shapes_)]
        return derivatives(tf, tf.einsum(equation, *xs), xs, 1)

    return build


case("einsum/ij,jk->ik", summation("ij,jk->ik", (2, 3), (3, 4)))
case("einsum/implicit", summation("ij,jk", (2, 3), (3, 4)))
case("einsum/bij,bjk->bik", summation("bij,bjk->bik", (2, 2, 3), (2, 3, 4)))
case("einsum/ij->ji", summation("ij->ji", (2, 3)))
case("einsum/ij->", summation("ij->", (2, 3)))
case("einsum/ij->i", summation("ij->i", (2, 3)))
case("einsum/i,j->ij", summation("i,j->ij", (2,), (3,)))
case("einsum/ijk,kl->ijl", summation("ijk,kl->ijl", (2, 3, 4), (4, 5)))
case("einsum/ij,ij->ij", summation("ij,ij->ij", (2, 3), (2, 3)))
case("einsum/three", summation("ij,jk,kl->il", (2, 3), (3, 4), (4, 2)))
case("einsum/abcd,aebf->cdef swap", summation("ijm,jkm->ikm", (2, 3, 4), (3, 2, 4)))
case("einsum/ijk,ik->ij", summation("ijk,ik->ij", (2, 3, 4), (2, 4)))
case("einsum/transposed", summation("ij,kj->ki", (2, 3), (4, 3)))
case("einsum/bhqd,bhkd->bhqk", summation("bhqd,bhkd->bhqk", (2, 2, 3, 4), (2, 2, 5, 4)))

# -- linear algebra ----------------------------------------------------------------------------

SQUARE = (smooth(3, 3) + 2 * np.eye(3)).astype(np.float32)
BATCH = np.stack([SQUARE, SQUARE.T + 1]).astype(np.float64)
POSITIVE = np.round(SQUARE.astype(np.float64).dot(SQUARE.T) + np.eye(3), 3)
POSITIVES = np.stack([POSITIVE, POSITIVE + np.eye(3)])
RIGHT = smooth(3, 2, dtype=np.float64)


def of_matrix(function, data, order=2, pick=None, **options):
    def build(tf):
        x = tf.constant(data, name="x")
        y = find(tf, function)(x, **options)
        if pick is not None:
            y = [y[i] for i in pick] if isinstance(pick, tuple) else y[pick]
        if isinstance(y, (tuple, list)):
            return list(y) + (tf.gradients(list(y), [x]) if order else [])
        return derivatives(tf, y, [x], order)

    return build


for _name, _data in (
    ("matrix_inverse", BATCH),
    ("matrix_determinant", BATCH),
    ("cholesky", POSITIVES),
    ("trace", BATCH),
):
    case(_name, of_matrix(_name, _data))
case("matrix_inverse/adjoint", of_matrix("matrix_inverse", SQUARE, adjoint=True))
case("matrix_determinant/one", of_matrix("matrix_determinant", SQUARE))
case("matrix_determinant/singular", of_matrix("matrix_determinant", np.ones((2, 2), np.float32), 0))
case("log_matrix_determinant", of_matrix("linalg.slogdet", BATCH, 1))
case("logdet", of_matrix("linalg.logdet", POSITIVES, 1))
case("qr", of_matrix("qr", smooth(3, 2, dtype=np.float64), 1, pick=(0, 1)))
case("qr/square", of_matrix("qr", BATCH, 1, pick=(0, 1)))
case("qr/full", of_matrix("qr", smooth(3, 2, dtype=np.float64), 0, pick=1, full_matrices=True))
case("svd/values", of_matrix("svd", BATCH, 1, compute_uv=False))
case("svd", of_matrix("svd", smooth(2, 3, 2, dtype=np.float64), 1, pick=0))
case("svd/wide", of_matrix("svd", smooth(2, 3, dtype=np.float64), 1, pick=0))
case("self_adjoint_eigvals", of_matrix("self_adjoint_eigvals", POSITIVES, 1))
case("self_adjoint_eig", of_matrix("self_adjoint_eig", POSITIVES, 1, pick=0))
case("matrix_square_root", of_matrix("linalg.sqrtm", POSITIVES, 1))
case("expm", of_matrix("linalg.expm", BATCH, 1))
case("expm/float32", of_matrix("linalg.expm", SQUARE, 0))
case("logm", of_matrix("linalg.logm", POSITIVE.astype(np.complex128), 0))
case("adjoint", of_matrix("linalg.adjoint", SQUARE))


def eigenvectors(tf):
    x = tf.constant(POSITIVE, name="x")
    e, v = tf.self_adjoint_eig(x)
    return [e] + tf.gradients([e, v * v], [x])


case("self_adjoint_eig/vectors", eigenvectors)


def svd_vectors(tf):
    x = tf.constant(smooth(3, 2, dtype=np.float64), name="x")
    s, u, v = tf.svd(x)
    return [s] + tf.gradients([s, u * u, v * v], [x])


case("svd/vectors", svd_vectors)


def solving(function, a, b, order=2, **options):
    def build(tf):
        x, y = tf.constant(a, name="x"), tf.constant(b, name="y")
        return derivatives(tf, find(tf, function)(x, y, **options), [x, y], order)

    return build


case("matrix_solve", solving("matrix_solve", BATCH[0], RIGHT))
case("matrix_solve/adjoint", solving("matrix_solve", BATCH, np.stack([RIGHT, RIGHT]), adjoint=True))
for _lower in (False, True):
    case("matrix_triangular_solve/%d" % _lower, solving("matrix_triangular_solve", BATCH[0], RIGHT, lower=_lower))
    case(
        "matrix_triangular_solve/adjoint %d" % _lower,
        solving("matrix_triangular_solve", BATCH[0], RIGHT, lower=_lower, adjoint=True),
    )
case("cholesky_solve", solving("cholesky_solve", np.round(np.linalg.cholesky(POSITIVE), 3), RIGHT, 1))
case("matrix_solve_ls", solving("matrix_solve_ls", smooth(4, 2, dtype=np.float64), smooth(4, 3, dtype=np.float64), 1))
case(
    "matrix_solve_ls/regular",
    solving("matrix_solve_ls", smooth(4, 2, dtype=np.float64), smooth(4, 3, dtype=np.float64), 1, l2_regularizer=0.5),
)
case(
    "matrix_solve_ls/wide",
    solving("matrix_solve_ls", smooth(2, 4, dtype=np.float64), smooth(2, 3, dtype=np.float64), 1, l2_regularizer=0.5),
)
case(
    "matrix_solve_ls/slow",
    solving("matrix_solve_ls", smooth(4, 2, dtype=np.float64), smooth(4, 3, dtype=np.float64), 0, fast=False),
)
case("cross", solving("cross", smooth(2, 3), smooth(2, 3, seed=1)))


def norm(data, order=1, **options):
    return of_matrix("norm", data, order, **options)


case("norm", norm(values(3, 4)))
case("norm/zero", norm(np.zeros(3, np.float32)))
case("norm/axis", norm(values(3, 4), axis=1, keepdims=True))
case("norm/1", norm(values(3, 4), ord=1, axis=0))
case("norm/inf", norm(values(3, 4), ord=np.inf, axis=0))
case("norm/3", norm(values(3, 4), ord=3, axis=-1))
case("norm/euclidean", norm(values(3, 4), ord=2))
case("norm/matrix 1", norm(values(3, 4), ord=1, axis=[-2, -1]))
case("norm/matrix inf", norm(values(3, 4), ord=np.inf, axis=[-2, -1]))
case("norm/matrix fro", norm(values(2, 3, 4), ord="fro", axis=[-2, -1], keep_dims=True))
case("norm/matrix 2", norm(smooth(3, 4), ord=2, axis=[-2, -1]))
case("l2_normalize", of_matrix("nn.l2_normalize", values(3, 4), axis=1))
case("l2_normalize/dim", of_matrix("math.l2_normalize", values(3, 4), dim=[0, 1], epsilon=0.1))
case("l2_normalize/zero", of_matrix("nn.l2_normalize", np.zeros((2, 2), np.float32), axis=0))
case("normalize", of_matrix("linalg.normalize", values(3, 4), 1, axis=1, pick=(0, 1)))

# -- activations -------------------------------------------------------------------------------

LINE = np.array([[-30, -2, -0.5, 0], [0.5, 2, 6, 30]], np.float32)


def activation(function, data=LINE, order=2, shape=None, square=False, **options):
    def build(tf):
        x = tf.constant(data, name="x")
        if shape is not None:
            x = tf.placeholder_with_default(x, None if shape == "unknown" else shape)
        y = find(tf, function)(x, **options)
        return derivatives(tf, tf.square(y) if square else y, [x], order)

    return build


for _name in ("relu", "relu6", "elu", "selu", "leaky_relu", "crelu", "softmax"):
    case(_name + "/squared", activation("nn." + _name, square=True))
for _name in (
    "relu",
    "relu6",
    "elu",
    "selu",
    "softplus",
    "softsign",
    "swish",
    "sigmoid",
    "tanh",
    "leaky_relu",
    "crelu",
    "softmax",
    "log_softmax",
    "l2_loss",
):
    case(_name, activation("nn." + _name, order=1 if _name == "softsign" else 2))
    if _name != "swish":
        case(_name + "/named", activation("nn." + _name, order=0, name="n"))
case("log_sigmoid", activation("log_sigmoid"))
case("leaky_relu/alpha", activation("nn.leaky_relu", alpha=0.1))
case("leaky_relu/array", activation("nn.leaky_relu", alpha=np.array([0.25], np.float32)))
case("leaky_relu/none", activation("nn.leaky_relu", alpha=None))
case("crelu/axis", activation("nn.crelu", axis=0))
case("softmax/axis", activation("nn.softmax", values(2, 3, 4), axis=1))
case("softmax/dim", activation("nn.softmax", values(2, 3), dim=0, order=1))
case("softmax/rank 3", activation("nn.softmax", values(2, 3, 4), order=1))
case("softmax/rank 1", activation("nn.softmax", values(3), order=1))
case("softmax/unknown", activation("nn.softmax", order=1, shape="unknown"))
case("softmax/partly", activation("nn.softmax", values(2, 3, 4), order=1, shape=(None, 3, None), axis=1))
case("log_softmax/axis", activation("nn.log_softmax", values(2, 3, 4), axis=1))
case("log_softmax/unknown", activation("nn.log_softmax", order=1, shape="unknown"))
case(
    "softmax/extremes",
    activation("nn.softmax", np.array([[1e4, -1e4, 0], [np.inf, 0, 0], [-np.inf, 0, 1]], np.float32), 1),
)

LOGITS = np.array([[1, 2, 3], [-1000, 0, 1000], [0, 0, 0]], np.float32)
TARGETS = np.array([[0.2, 0.3, 0.5], [0, 0, 1], [1, 0, 0]], np.float32)


def cross_entropy(function, labels, logits, order=2, static=None, **options):
    def build(tf):
        x, t = tf.constant(logits, name="x"), tf.constant(labels, name="t")
        if static is not None:
            x, t = tf.placeholder_with_default(x, static[0]), tf.placeholder_with_default(t, static[1])
        return derivatives(tf, find(tf, function)(labels=t, logits=x, **options), [x, t], order)

    return build


for _name in ("softmax_cross_entropy_with_logits", "softmax_cross_entropy_with_logits_v2"):
    case(_name, cross_entropy("nn." + _name, TARGETS, LOGITS))
    case(
        _name + "/dim",
        cross_entropy("nn." + _name, TARGETS, LOGITS, 1, **({"dim": 0} if _name[-1] != "2" else {"axis": 0})),
    )
    case(_name + "/rank 3", cross_entropy("nn." + _name, values(2, 3, 4), values(2, 3, 4, seed=1), 1, name="n"))
    case(_name + "/unknown", cross_entropy("nn." + _name, TARGETS, LOGITS, 1, (None, None)))
    case(_name + "/partly", cross_entropy("nn." + _name, TARGETS, LOGITS, 1, ((None, 3), (None, 3))))
case("sparse xent", cross_entropy("nn.sparse_softmax_cross_entropy_with_logits", [2, 2, 1], LOGITS, 1))
case(
    "sparse xent/int64",
    cross_entropy("nn.sparse_softmax_cross_entropy_with_logits", np.array([2, 2, 1]), LOGITS, 1, name="n"),
)
case(
    "sparse xent/rank 3",
    cross_entropy("nn.sparse_softmax_cross_entropy_with_logits", [[1, 2, 0], [3, 3, 1]], values(2, 3, 4), 1),
)
case(
    "sparse xent/unknown",
    cross_entropy("nn.sparse_softmax_cross_entropy_with_logits", [2, 2, 1], LOGITS, 1, (None, None)),
)
case(
    "sparse xent/partly",
    cross_entropy("nn.sparse_softmax_cross_entropy_with_logits", [2, 2, 1], LOGITS, 1, ((None, 3), (None,))),
)
case(
    "sparse xent/partly 3",
    cross_entropy(
        "nn.sparse_softmax_cross_entropy_with_logits",
        [[1, 2, 0], [3, 3, 1]],
        values(2, 3, 4),
        1,
        ((None, 3, 4), (None, None)),
    ),
)
case("sigmoid xent", cross_entropy("nn.sigmoid_cross_entropy_with_logits", TARGETS, LOGITS))
case("sigmoid xent/named", cross_entropy("nn.sigmoid_cross_entropy_with_logits", TARGETS, LOGITS, 0, name="n"))
case("weighted xent", cross_entropy("nn.weighted_cross_entropy_with_logits", TARGETS, LOGITS, pos_weight=2.0))


def poisson(tf):
    x, t = tf.constant([0.5, 1.0, 2.0], name="x"), tf.constant([0.0, 1.0, 5.0], name="t")
    return derivatives(tf, tf.nn.log_poisson_loss(t, x), [x]) + derivatives(
        tf, tf.nn.log_poisson_loss(t, x, compute_full_loss=True, name="full"), [x], 1
    )


case("log_poisson_loss", poisson)

# -- biases, moments, normalization ------------------------------------------------------------


def bias(shape, order=2, **options):
    def build(tf):
        x, b = tf.constant(values(*shape), name="x"), tf.constant(values(4, seed=1), name="b")
        y = tf.nn.bias_add(x, b, **options)
        return derivatives(tf, tf.square(y) if order == 2 else y, [x, b], order)

    return build


case("bias_add", bias((3, 4)))
case("bias_add/images", bias((2, 2, 3, 4), data_format="NHWC"))
case("bias_add/channels first", bias((2, 4, 3, 2), data_format="NCHW"))
case("bias_add/channels first 3", bias((2, 4, 3), 1, data_format="NCW", name="n"))


def dense(tf):
    x, w, b = tf.constant(values(2, 3), name="x"), tf.constant(values(3, 4), name="w"), tf.constant(values(4), name="b")
    return (
        derivatives(tf, tf.nn.xw_plus_b(x, w, b), [x, w, b], 1)
        + derivatives(tf, tf.nn.relu_layer(x, w, b), [x, w, b], 1)
        + [tf.nn.xw_plus_b(x, w, b, name="named")]
    )


case("xw_plus_b", dense)


def moments(shape=None, **options):
    def build(tf):
        x = tf.constant(values(3, 4), name="x")
        if shape is not None:
            x = tf.placeholder_with_default(x, None if shape == "unknown" else shape)
        mean, variance = tf.nn.moments(x, **options)
        return [mean, variance] + tf.gradients([mean, variance], [x])

    return build


case("moments", moments(axes=[0]))
case("moments/all", moments(axes=[0, 1], keep_dims=True, name="n"))
case("moments/partly", moments((None, 4), axes=[0]))
case("moments/unknown", moments("unknown", axes=[0]))


def half_moments(tf):
    return list(tf.nn.moments(tf.constant(values(3, 4, dtype=np.float16)), [0]))


case("moments/half", half_moments)


def weighted(tf):
    x, w = tf.constant(values(3, 4), name="x"), tf.constant([[1.0], [2.0], [3.0]], name="w")
    mean, variance = tf.nn.weighted_moments(x, [0], w)
    return (
        [mean, variance]
        + tf.gradients([mean, variance], [x, w])
        + list(tf.nn.weighted_moments(x, [0, 1], 2.0, keep_dims=True, name="n"))
    )


case("weighted_moments", weighted)


def statistics(tf):
    x = tf.constant(values(3, 4), name="x")
    plain = tf.nn.sufficient_statistics(x, [0])
    shifted = tf.nn.sufficient_statistics(x, [0, 1], shift=1.0, keep_dims=True, name="s")
    unknown = tf.nn.sufficient_statistics(tf.placeholder_with_default(x, [None, 4]), [0])
    return (
        [t for t in plain + shifted + unknown if t is not None]
        + list(tf.nn.normalize_moments(*plain))
        + list(tf.nn.normalize_moments(*shifted, name="n"))
    )


case("sufficient_statistics", statistics)


def normalization(tf):
    x = tf.constant(values(3, 4), name="x")
    mean, variance, beta, gamma = (tf.constant(smooth(4, seed=i, low=0), name=n) for i, n in enumerate("mvbg"))
    full = tf.nn.batch_normalization(x, mean, variance, beta, gamma, 0.001)
    return derivatives(tf, full, [x, mean, variance, beta, gamma], 1) + [
        tf.nn.batch_normalization(x, mean, variance, None, None, 0.001, name="n"),
        tf.nn.batch_normalization(x, mean, variance, None, gamma, 0.001),
        tf.nn.batch_normalization(x, mean, variance, beta, None, 0.001),
    ]


case("batch_normalization", normalization)


def dropping(tf):
    x = tf.constant(np.ones((3, 4), np.float32), name="x")
    y = tf.nn.dropout(x, 0.5, seed=1)
    return (
        [tf.nn.dropout(x, keep_prob=1.0), y]
        + tf.gradients(y, x)
        + [
            tf.nn.dropout(x, rate=0.25, seed=2, noise_shape=[3, 1], name="n"),
            tf.nn.dropout(x, rate=tf.constant(0.25), seed=3),
            tf.nn.dropout(x, tf.placeholder_with_default(0.5, []), seed=4),
            tf.nn.dropout(tf.placeholder_with_default(x, [None, 4]), 0.5, [3, 1], 5),
        ]
    )


case("dropout", dropping)

# -- choosing ----------------------------------------------------------------------------------


def best(tf):
    x = tf.constant([[1.0, 5.0, 5.0, 2.0], [7.0, 0.0, 3.0, -1.0]], name="x")
    values_, indices = tf.nn.top_k(x, 2)
    one = tf.nn.top_k(tf.reshape(x, [-1]), name="one")
    return (
        [values_, indices, one.values, one.indices]
        + tf.gradients(values_, x)
        + [tf.nn.in_top_k(x, [1, 2], 2), tf.nn.in_top_k(x, np.array([2, 3]), k=1)]
    )


case("top_k", best)


def nth(tf):
    x = tf.constant([[1.0, 5.0, 5.0, 2.0], [7.0, 0.0, 3.0, -1.0]], name="x")
    from tensorflow.python.ops import nn_ops

    return derivatives(tf, nn_ops.nth_element(x, 1), [x], 1) + [nn_ops.nth_element(x, 1, reverse=True, name="r")]


case("nth_element", nth)


def rows(strategy, parts, ids, **options):
    def build(tf):
        params = [tf.constant(values(5 if i < 2 else 4, 2, seed=i), name="p%d" % i) for i in range(parts)]
        y = tf.nn.embedding_lookup(params if parts > 1 else params[0], ids, partition_strategy=strategy, **options)
        return [y] + [tf.convert_to_tensor(g) for g in tf.gradients(y, params)]

    return build


case("embedding_lookup", rows("mod", 1, [1, 0, 1]))
case("embedding_lookup/2", rows("mod", 1, [[1, 0], [3, 3]], name="n"))
case("embedding_lookup/max_norm", rows("mod", 1, [[1, 0], [3, 3]], max_norm=1.0))
case("embedding_lookup/mod", rows("mod", 3, [1, 0, 13, 5]))
case("embedding_lookup/div", rows("div", 3, [[1, 0], [13, 5]]))
case("embedding_lookup/mod max_norm", rows("mod", 2, [1, 0, 5], max_norm=1.0))


def confusion(tf):
    return [
        tf.confusion_matrix([1, 2, 2], [1, 0, 2]),
        tf.confusion_matrix([1, 2], [1, 0], 4, dtype=tf.float32, weights=[0.5, 2.0]),
    ]


case("confusion_matrix", confusion)


def sparse_rows(combiner, weighted=False, parts=1, **options):
    def build(tf):
        params = [tf.constant(values(5, 2, seed=i), name="p%d" % i) for i in range(parts)]
        places_ = [[0, 0], [0, 1], [1, 0], [3, 2]]
        ids = tf.SparseTensor(places_, tf.constant([1, 3, 0, 1], tf.int64), [4, 3])
        weights = tf.SparseTensor(places_, tf.constant([2.0, 0.5, 1.0, 3.0]), [4, 3]) if weighted else None
        y = tf.nn.embedding_lookup_sparse(params, ids, weights, combiner=combiner, **options)
        return [y] + [tf.convert_to_tensor(g) for g in tf.gradients(y, params)]

    return build


for _combiner in ("sum", "mean", "sqrtn"):
    case("embedding_lookup_sparse/" + _combiner, sparse_rows(_combiner))
    case("embedding_lookup_sparse/weighted " + _combiner, sparse_rows(_combiner, True))
case("embedding_lookup_sparse/div", sparse_rows("mean", True, 2, partition_strategy="div", max_norm=1.0))


def safe_rows(tf):
    params = [tf.constant(values(5, 2), name="p")]
    ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0], [3, 2]], tf.constant([1, 3, -1, 1], tf.int64), [4, 3])
    weights = tf.SparseTensor([[0, 0], [0, 1], [1, 0], [3, 2]], tf.constant([2.0, 0.5, 1.0, 3.0]), [4, 3])
    return [
        tf.nn.safe_embedding_lookup_sparse(params, ids, weights),
        tf.nn.safe_embedding_lookup_sparse(params, ids, default_id=2, combiner="sum", name="n"),
    ]


case("safe_embedding_lookup_sparse", safe_rows)


def accumulating(tf):
    x, y = tf.constant([1.0, 2.0], name="x"), tf.constant([3.0, 4.0], name="y")
    return derivatives(tf, tf.accumulate_n([x, y, x]), [x, y], 1) + [tf.accumulate_n([x])]


case("accumulate_n", accumulating)

# -- errors ------------------------------------------------------------------------------------

ERRORS = {
    "matmul sizes": lambda tf: tf.matmul(tf.ones([2, 3]), tf.ones([2, 3])),
    "matmul ranks": lambda tf: tf.matmul(tf.ones([2]), tf.ones([2, 3])),
    "matmul both flags": lambda tf: tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]), transpose_a=True, adjoint_a=True),
    "matmul both flags b": lambda tf: tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]), transpose_b=True, adjoint_b=True),
    "matmul batch sizes": lambda tf: tf.matmul(tf.ones([2, 2, 3]), tf.ones([3, 3, 2])),
    "matmul dtypes": lambda tf: tf.matmul(tf.ones([2, 3]), tf.ones([3, 2], tf.float64)),
    "matmul bool": lambda tf: tf.matmul(tf.constant([[True]]), tf.constant([[True]])),
    "reduce axis": lambda tf: tf.reduce_sum(tf.ones([2, 3]), 2),
    "reduce both axes": lambda tf: tf.reduce_sum(tf.ones([2, 3]), 1, reduction_indices=1),
    "reduce both keeps": lambda tf: tf.reduce_sum(tf.ones([2, 3]), keepdims=True, keep_dims=True),
    "reduce_all numbers": lambda tf: tf.reduce_all(tf.ones([2])),
    "argmax axis": lambda tf: tf.argmax(tf.ones([2, 3]), 2),
    "argmax both": lambda tf: tf.argmax(tf.ones([2, 3]), 1, dimension=0),
    "xent positional": lambda tf: tf.nn.softmax_cross_entropy_with_logits(tf.ones([2, 3]), tf.ones([2, 3])),
    "xent missing": lambda tf: tf.nn.softmax_cross_entropy_with_logits(labels=tf.ones([2, 3])),
    "xent shapes": lambda tf: tf.nn.softmax_cross_entropy_with_logits_v2(
        labels=tf.ones([2, 3]), logits=tf.ones([3, 3])
    ),
    "sparse xent ranks": lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=tf.ones([2, 3], tf.int32), logits=tf.ones([2, 3])
    ),
    "sparse xent shapes": lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=[1, 2], logits=tf.ones([3, 3])
    ),
    "sparse xent scalar": lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=1, logits=1.0),
    "sparse xent positional": lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits([1], tf.ones([1, 3])),
    "sigmoid xent shapes": lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones([2]), logits=tf.ones([3])),
    "sigmoid xent positional": lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(tf.ones([2]), tf.ones([3])),
    "weighted xent shapes": lambda tf: tf.nn.weighted_cross_entropy_with_logits(tf.ones([2]), tf.ones([3]), 1.0),
    "softmax scalar": lambda tf: tf.nn.softmax(1.0),
    "softmax axis": lambda tf: tf.nn.softmax(tf.ones([2, 3]), axis=2),
    "softmax integers": lambda tf: tf.nn.softmax(tf.constant([1, 2])),
    "bias shapes": lambda tf: tf.nn.bias_add(tf.ones([2, 3]), tf.ones([2])),
    "bias rank": lambda tf: tf.nn.bias_add(tf.ones([3]), tf.ones([3])),
    "bias format": lambda tf: tf.nn.bias_add(tf.ones([2, 3]), tf.ones([3]), "NHCW"),
    "dropout range": lambda tf: tf.nn.dropout(tf.ones([2]), 1.5),
    "dropout both": lambda tf: tf.nn.dropout(tf.ones([2]), 0.5, rate=0.5),
    "dropout none": lambda tf: tf.nn.dropout(tf.ones([2])),
    "dropout integers": lambda tf: tf.nn.dropout(tf.constant([1, 2]), 0.5),
    "top_k size": lambda tf: tf.nn.top_k(tf.ones([2]), 3),
    "cholesky": lambda tf: tf.cholesky(tf.ones([2, 3])),
    "inverse": lambda tf: tf.matrix_inverse(tf.ones([2, 3])),
    "solve": lambda tf: tf.matrix_solve(tf.ones([2, 2]), tf.ones([3, 2])),
    "determinant": lambda tf: tf.matrix_determinant(tf.ones([2])),
    "norm ord": lambda tf: tf.norm(tf.ones([2]), ord="bad"),
    "norm matrix ord": lambda tf: tf.norm(tf.ones([2, 2]), ord=3, axis=[0, 1]),
    "norm axes": lambda tf: tf.norm(tf.ones([2, 2]), axis=[0, 0]),
    "tensordot axes": lambda tf: tf.tensordot(tf.ones([2, 3]), tf.ones([2, 3]), 1),
    "tensordot lengths": lambda tf: tf.tensordot(tf.ones([2, 3]), tf.ones([2, 3]), [[0, 1], [0]]),
    "tensordot negative": lambda tf: tf.tensordot(tf.ones([2, 3]), tf.ones([2, 3]), -1),
    "einsum names": lambda tf: tf.einsum("ij,jk->iz", tf.ones([2, 3]), tf.ones([3, 4])),
    "einsum count": lambda tf: tf.einsum("ij,jk->ik", tf.ones([2, 3])),
    "einsum rank": lambda tf: tf.einsum("ijk->ik", tf.ones([2, 3])),
    "embedding none": lambda tf: tf.nn.embedding_lookup(None, [1]),
    "embedding strategy": lambda tf: tf.nn.embedding_lookup([tf.ones([2, 2])] * 2, [1], partition_strategy="x"),
    "accumulate empty": lambda tf: tf.accumulate_n([]),
    "cross": lambda tf: tf.cross(tf.ones([2]), tf.ones([2])),
    "l2 both": lambda tf: tf.nn.l2_normalize(tf.ones([2]), 0, dim=0),
    "crelu": lambda tf: tf.nn.crelu(tf.constant("a")),
    "run matmul": lambda tf: tf.matmul(tf.placeholder_with_default(tf.ones([2, 3]), None), tf.ones([2, 3])),
    "run xent label": lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 3], logits=tf.ones([2, 3])),
    "run cholesky": lambda tf: tf.cholesky(-tf.eye(2)),
    "run inverse": lambda tf: tf.matrix_inverse(tf.zeros([2, 2])),
    "run solve": lambda tf: tf.matrix_solve(tf.zeros([2, 2]), tf.ones([2, 1])),
    "run argmax": lambda tf: tf.argmax(tf.ones([2, 3]), tf.placeholder_with_default(5, [])),
    "run reduce": lambda tf: tf.reduce_sum(tf.ones([2, 3]), tf.placeholder_with_default(5, [])),
    "run empty argmax": lambda tf: tf.argmax(tf.ones([0, 3]), 0),
}
