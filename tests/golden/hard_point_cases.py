"""Points at which a derivative is hard to get right: kinks, ties, zeros, infinities, matrices that are nearly singular.

Each is an expression of the tensors ``x, y, z`` and their values; ``record_hard_points.py`` takes its value, gradients
and second-order gradients in float32 and float64 under TensorFlow 1.15.5, ``test_hard_points.py`` under retrograd.
"""

inf, nan = float("inf"), float("nan")
FINITE = [0.0, 1.0, -1.0, 4.0, 1e-20, nan]
LINE = [0.0, -0.0, 1.0, -1.0, 4.0, inf, -inf, nan]
EYE = [[1.0, 0.0], [0.0, 1.0]]
NEAR_ONE = [[1.0, 1.0], [1.0, 1.0 + 2.0**-12]]
RANK_ONE = [[1.0, 2.0], [2.0, 4.0]]
ZERO = [[0.0, 0.0], [0.0, 0.0]]
PLAIN = [[2.0, 1.0], [0.5, 3.0]]
SPD = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]
TALL = [[1.0, 2.0], [3.0, -1.0], [0.5, 1.5]]
TALLER = [[1.0, 2.0], [3.0, -1.0], [0.5, 1.5], [-2.0, 0.25]]
WIDE = [[1.0, 3.0, 0.5], [2.0, -1.0, 1.5]]
REPEATED = [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]]
BATCH = [[[2.0, 1.0], [0.5, 3.0]], [[1.0, -1.0], [2.0, 0.5]]]
LOGITS = [[1000.0, 999.0, 0.0], [-inf, 0.0, 1.0], [0.0, 0.0, 0.0], [-1000.0, -1001.0, -1002.0], [inf, 0.0, 0.0]]
ONE_HOT = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]

CASES = {}
LOST = {}  # label: how many digits are lost on the way, where the problem itself is ill conditioned


def case(expression, *inputs, lost=0, orders=2):
    label = "%s of %s" % (expression, ", ".join(map(str, inputs)))
    assert label not in CASES, label
    CASES[label] = expression, inputs, orders
    LOST[label] = lost


# -- of one number -----------------------------------------------------------------------------
for _name in (
    "abs sign negative square reciprocal exp expm1 log log1p sinh cosh tanh asinh acosh atanh sin cos tan "
    "asin acos atan sigmoid erf erfc lgamma digamma math.reciprocal_no_nan math.bessel_i0e math.bessel_i1e "
    "math.log_sigmoid nn.relu nn.relu6 nn.elu nn.selu nn.softplus nn.softsign nn.leaky_relu nn.swish floor round "
    "stop_gradient nn.l2_loss"
).split():
    case("tf.%s(x)" % _name, LINE)
for _power in (0.0, 1.0, 2.0, 3.0, -1.0, -2.0):
    case("x ** %s" % _power, LINE)
for _root in ("tf.sqrt(x)", "tf.rsqrt(x)", "x ** 0.5", "x ** -0.5", "x ** 2.5"):
    case(_root, FINITE)
case("1.0 ** x", LINE)
case("0.0 ** x", LINE)
case("(-2.0) ** x", LINE)
for _name in "asin acos atanh".split():
    case("tf.%s(x)" % _name, [1.0 - 2.0**-20, -1.0 + 2.0**-20, 0.5, 1.5])
case("tf.acosh(x)", [1.0 + 2.0**-20, 1.5])
case("tf.clip_by_value(x, -1.0, 1.0)", LINE)
case("tf.clip_by_value(x, y, z)", [0.0, 1.0, 2.0, -1.0, nan], [0.0, 0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0, 1.0])
case("tf.where(x > 0, tf.log(x), x)", [0.0, -1.0, 2.0])
case("tf.where(x > 0, tf.sqrt(x), tf.zeros_like(x))", [0.0, -1.0, 4.0])
case("tf.where(tf.equal(x, 0), x, 1 / x)", [0.0, -1.0, 4.0])
case("tf.where_v2(x > 0, tf.sqrt(tf.where_v2(x > 0, x, 1.0)), 0.0)", [0.0, -1.0, 4.0])
case("tf.sqrt(tf.square(x))", [0.0, -3.0, 2.0])
case("tf.sqrt(tf.maximum(x, 0.0))", [0.0, -3.0, 4.0])
case("tf.log(tf.nn.relu(x) + 1e-6)", [0.0, -3.0, 4.0])
case("x * tf.log(x)", [0.0, 1.0, inf])
case("tf.exp(-1 / x)", [0.0, 1e-3, 1.0])
case("tf.log(tf.exp(x) - 1)", [0.0, 100.0, 1e-3])

# -- of two numbers ----------------------------------------------------------------------------
_PAIRS = (
    [0.0, 0.0, 0.0, 0.0, -2.0, -2.0, -2.0, 2.0, 2.0, 1.0, -1.0, inf, -inf, nan, 3.0, inf],
    [0.0, 2.0, -1.0, 0.5, 3.0, 0.5, 0.0, 0.0, -2.0, 5.0, 5.0, 2.0, -1.0, 0.0, inf, 0.0],
)
for _name in (
    "pow maximum minimum div realdiv truediv math.divide_no_nan math.multiply_no_nan math.xdivy math.xlogy atan2 floordiv "
    "floormod truncatemod squared_difference multiply subtract"
).split():
    case("tf.%s(x, y)" % _name, *_PAIRS)
case("tf.maximum(x, y)", [1.0, 2.0, 2.0], [2.0])
case("tf.minimum(x, 2.0)", [[1.0, 2.0, 3.0]])
for _name in "igamma igammac zeta polygamma".split():
    case("tf.%s(x, y)" % _name, [1.0, 2.0, 0.5, 3.0, 0.0], [0.0, 1.0, 3.0, inf, 1.0])
case("tf.betainc(x, y, z)", [0.5, 1.0, 2.0, 2.0], [0.5, 2.0, 3.0, 1.0], [0.0, 1.0, 0.5, 0.25])

# -- reductions --------------------------------------------------------------------------------
for _name in "sum mean max min prod".split():
    case("tf.reduce_%s(x)" % _name, [2.0, 5.0, 5.0, 2.0])
    case("tf.reduce_%s(x, 1)" % _name, [[0.0, 3.0, 3.0], [0.0, 0.0, 4.0], [inf, 1.0, -inf], [nan, 1.0, 2.0]])
    case("tf.reduce_%s(x, [])" % _name, [2.0, 2.0])
    case("tf.reduce_%s(tf.reshape(x, [0, 2]), 0)" % _name, [])
case("tf.reduce_prod(x)", [[0.0, 3.0], [2.0, 4.0]])
case("tf.reduce_prod(x, 0, keepdims=True)", [[0.0, 3.0], [0.0, 4.0], [5.0, 0.0]])
case("tf.reduce_logsumexp(x, 1)", [[1000.0, 1001.0], [-inf, 0.0], [-inf, -inf], [inf, 0.0], [0.0, 0.0]])
for _name in "std variance euclidean_norm".split():
    case("tf.math.reduce_%s(x, 1)" % _name, [[1.0, 1.0], [0.0, 0.0], [1.0, 3.0], [inf, 1.0]])
case("tf.cumsum(x, exclusive=True, reverse=True)", [1.0, inf, 2.0])
case("tf.cumprod(x)", [2.0, 0.0, 3.0])
case("tf.cumprod(x, exclusive=True)", [2.0, 0.0, 3.0])
case("tf.cumprod(x, reverse=True)", [2.0, 3.0, 4.0])
case("tf.nn.moments(x, [0])", [2.0, 2.0, 2.0])
case("tf.nn.top_k(x, 2)[0]", [1.0, 3.0, 3.0, 3.0])
case("tf.sort(x)", [2.0, 1.0, 2.0])

# -- norms -------------------------------------------------------------------------------------
_VECTORS = [[0.0, 0.0], [3.0, 4.0], [1e-30, 0.0], [1e30, 1e30], [inf, 1.0], [nan, 1.0], [-2.0, 2.0]]
for _order in ("'euclidean'", "1", "2", "np.inf"):
    case("tf.norm(x, ord=%s, axis=1)" % _order, _VECTORS)
for _order in ("3.5", "0.5"):
    case("tf.norm(x, ord=%s, axis=1)" % _order, _VECTORS[:2] + _VECTORS[5:])
for _order in ("'fro'", "1", "np.inf"):
    case("tf.norm(x, ord=%s, axis=[0, 1])" % _order, [[1.0, -1.0], [-1.0, 1.0]])
    case("tf.norm(x, ord=%s, axis=[0, 1])" % _order, ZERO)
case("tf.nn.l2_normalize(x, 1)", _VECTORS)
case("tf.nn.l2_normalize(x, 1, epsilon=0.0)", _VECTORS)
case("tf.clip_by_norm(x, 1.0)", [0.0, 0.0])
case("tf.clip_by_norm(x, 5.0)", [3.0, 4.0])
case("tf.clip_by_norm(x, 1.0, axes=[1])", _VECTORS)
case("tf.clip_by_average_norm(x, 1.0)", [3.0, 4.0])
case("tf.clip_by_global_norm([x, y], 1.0)[0]", [0.0, 0.0], [0.0])
case("tf.clip_by_global_norm([x, y], 13.0)[0]", [3.0, 4.0], [12.0])
case("tf.clip_by_global_norm([x, y], 1.0)[0]", [inf, 4.0], [12.0])
case("tf.global_norm([x, y])", [0.0, 0.0], [0.0])

# -- losses and probabilities ------------------------------------------------------------------
for _name in "softmax log_softmax".split():
    case("tf.nn.%s(x)" % _name, LOGITS)
    case("tf.nn.%s(x, axis=0)" % _name, LOGITS)
    case("tf.nn.%s(x)[:, 1]" % _name, LOGITS)
case(
    "tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=x)",
    LOGITS[:1] + LOGITS[2:4],
    ONE_HOT[:1] + ONE_HOT[2:4],
)
case("tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=x)", [[1000.0, -1000.0]], [[0.0, 1.0]])
case(
    "tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x)", LOGITS[:1] + LOGITS[2:4], ONE_HOT[:1] + ONE_HOT[2:4]
)
case("tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 2, 1, 0], logits=x)", LOGITS[:4])
case("tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=x)", [[1000.0, -1000.0]])
case("tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x)", LINE, [0.0, 1.0, 0.5, 1.0, 0.0, 1.0, 0.0, 1.0])
case("tf.nn.weighted_cross_entropy_with_logits(y, x, 2.0)", LINE, [0.0, 1.0, 0.5, 1.0, 0.0, 1.0, 0.0, 1.0])
case("tf.nn.log_poisson_loss(y, x, compute_full_loss=True)", [0.0, -1.0, 100.0], [0.0, 1.0, 2.0])
case("tf.losses.huber_loss(y, x, reduction='none')", [0.0, 1.0, -1.0, 2.0, 0.5], [0.0, 0.0, 0.0, 0.0, 0.0])
case("tf.losses.absolute_difference(y, x, reduction='none')", [0.0, 1.0, -1.0], [0.0, 2.0, -1.0])
case("tf.losses.hinge_loss([1.0, 0.0, 1.0], x, reduction='none')", [1.0, -1.0, 0.0])
case("tf.losses.cosine_distance(x, y, axis=1, reduction='none')", [[0.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]])
case("tf.nn.batch_normalization(x, y, z, None, None, 0.0)", [1.0, 2.0], [1.0, 1.0], [0.0, 0.0])

# -- segments ----------------------------------------------------------------------------------
for _name in "sum mean max min prod".split():
    case("tf.segment_%s(x, [0, 0, 2, 2])" % _name, [4.0, 4.0, 0.0, 3.0])
for _name in "sum mean max min prod sqrt_n".split():
    case("tf.unsorted_segment_%s(x, [3, 0, 3, -1], 4)" % _name, [0.0, 2.0, 0.0, 5.0])
for _name in "sum mean sqrt_n".split():
    case("tf.sparse_segment_%s(x, [0, 1, 0], [0, 2, 2])" % _name, [[1.0, 2.0], [3.0, 4.0]])
    case("tf.sparse_segment_%s(x, [0, 1, 0], [0, 2, 2], num_segments=4)" % _name, [[1.0, 2.0], [3.0, 4.0]])
case("tf.unsorted_segment_prod(x, [0, 0, 1, 1, 0], 3)", [0.0, 3.0, 0.0, 0.0, 2.0])
case("tf.gather(x, [0, 0, 1])", [1.0, 2.0, 3.0])
case("tf.dynamic_stitch([[0, 1], [1, 2]], [x, y])", [1.0, 2.0], [3.0, 4.0])
case("tf.dynamic_partition(x, [0, 2, 0], 3)", [1.0, 2.0, 3.0])

# -- determinants, inverses, solutions ---------------------------------------------------------
for _matrix in (PLAIN, EYE, NEAR_ONE, BATCH, SPD):  # TensorFlow's gradient of the adjoint's inverse is wrong
    case("tf.matrix_determinant(x)", _matrix, orders=1)
    case("tf.linalg.slogdet(x)[1]", _matrix, orders=1)
    case("tf.matrix_inverse(x)", _matrix)
    case("tf.matrix_inverse(x, adjoint=True)", _matrix, orders=0)
for _matrix in (RANK_ONE, ZERO):
    case("tf.matrix_determinant(x)", _matrix)
    case("tf.linalg.slogdet(x)", _matrix)
    case("tf.matrix_inverse(x)", _matrix)
case("tf.linalg.slogdet(x)", [[0.0, 2.0], [3.0, 1.0]], orders=1)
case("tf.linalg.slogdet(x)[1]", [[0.0, 2.0], [3.0, 1.0]], orders=1)
case("tf.matrix_determinant(x)", [[[1.0, 2.0], [2.0, 4.0]], [[1.0, 0.0], [0.0, 2.0]]])
case("tf.matrix_inverse(x)", [[1.0, 2.0], [nan, 3.0]])
case("tf.matrix_inverse(x)", [[inf, 0.0], [0.0, 1.0]])
for _matrix in (PLAIN, NEAR_ONE, RANK_ONE, ZERO):
    case("tf.matrix_solve(x, y)", _matrix, [[1.0], [2.0]])
case("tf.matrix_solve(x, y, adjoint=True)", PLAIN, [[1.0, 0.0], [2.0, 1.0]])
for _lower in (True, False):
    for _adjoint in (True, False):
        _options = "lower=%s, adjoint=%s" % (_lower, _adjoint)
        case("tf.matrix_triangular_solve(x, y, %s)" % _options, [[2.0, 5.0], [3.0, 4.0]], [[1.0], [2.0]])
case("tf.matrix_triangular_solve(x, y)", [[2.0, 5.0], [3.0, 0.0]], [[1.0], [2.0]])
case("tf.matrix_triangular_solve(x, y)", [[nan, 5.0], [3.0, 1.0]], [[1.0], [2.0]])
for _matrix, _right in ((TALL, [[1.0], [2.0], [3.0]]), (WIDE, [[1.0], [2.0]]), (PLAIN, [[1.0], [2.0]])):
    for _l2 in (0.0, 0.5):
        case("tf.matrix_solve_ls(x, y, %s)" % _l2, _matrix, _right)
    case("tf.stop_gradient(tf.matrix_solve_ls(x, y, fast=False)) + 0 * tf.reduce_sum(x)", _matrix, _right)
case("tf.stop_gradient(tf.matrix_solve_ls(x, y, fast=False)) + 0 * tf.reduce_sum(x)", RANK_ONE, [[1.0], [2.0]])
case("tf.matrix_solve_ls(x, y, fast=False)", TALL, [[1.0], [2.0], [3.0]])
case("tf.linalg.trace(x)", PLAIN)
case("tf.linalg.cross(x, y)", [0.0, 0.0, 0.0], [1.0, 2.0, 3.0])
case("tf.linalg.logdet(x)", SPD)
case("tf.linalg.tensor_diag_part(x)", PLAIN)

# -- factors -----------------------------------------------------------------------------------
for _matrix in (SPD, NEAR_ONE, EYE, [[4.0]], [SPD, SPD]):
    case("tf.cholesky(x)", _matrix)
case("tf.cholesky(x)", [[2.0, 100.0], [0.5, 3.0]])
case("tf.cholesky(x)", [[1.0, 0.0], [0.0, 1e-12]])
case("tf.cholesky(x)", ZERO)
case("tf.cholesky(x)", RANK_ONE)
case("tf.cholesky(x)", [[1.0, 0.0], [0.0, -1.0]])
case("tf.cholesky_solve(tf.cholesky(x), y)", SPD, [[1.0], [2.0], [3.0]])
for _matrix in (PLAIN, TALL, BATCH, [[0.0, 1.0], [2.0, 0.0]], NEAR_ONE):
    for _part in ("", "[0]", "[1]"):
        case("tf.qr(x)" + _part, _matrix, lost=4 * (_matrix is NEAR_ONE))
case("tf.qr(x, full_matrices=True)", PLAIN)
case("tf.qr(x, full_matrices=True)[1]", TALL)
case("tf.qr(x)", WIDE)
case("tf.qr(x)[1]", [[1.0, 2.0], [0.0, 0.0]])
case("tf.qr(x)[1]", ZERO)
for _matrix in (SPD, EYE, REPEATED, ZERO, RANK_ONE, NEAR_ONE, [[4.0]], [[2.0, 100.0], [0.5, 3.0]], BATCH):
    case("tf.self_adjoint_eig(x)[0]", _matrix)
    case("tf.self_adjoint_eigvals(x)", _matrix)
    case("tf.square(tf.self_adjoint_eig(x)[1])", _matrix)
case("tf.self_adjoint_eigvals(x)", [[1.0, nan], [nan, 1.0]])
for _matrix in (PLAIN, TALL, WIDE, BATCH, SPD, EYE, REPEATED, ZERO, RANK_ONE, TALLER):
    case("tf.svd(x, compute_uv=False)", _matrix)
    case("tf.svd(x)[0]", _matrix)
    case("tf.square(tf.svd(x)[1])", _matrix)
    case("tf.square(tf.svd(x)[2])", _matrix)
    case("tf.svd(x, full_matrices=True)[0]", _matrix)
for _matrix in (PLAIN, TALL, WIDE, TALLER):
    case("[tf.square(t) for t in tf.svd(x, full_matrices=True)[1:]]", _matrix)
case("tf.linalg.matmul(tf.svd(x)[1] * tf.svd(x)[0], tf.svd(x)[2], transpose_b=True)", TALL)
case("tf.linalg.pinv(x)", TALL)
case("tf.linalg.pinv(x)", RANK_ONE)
case("tf.linalg.sqrtm(tf.stop_gradient(x)) + x", SPD)
case("tf.linalg.adjoint(x)", WIDE)
for _name in ("matrix_diag", "matrix_diag_part"):
    case("tf.%s(x)" % _name, WIDE)
case("tf.matrix_set_diag(x, y)", WIDE, [0.0, inf])
case("tf.matrix_band_part(x, 0, -1)", [[1.0, nan], [inf, 2.0]])
case("tf.einsum('ij,jk->ik', x, y)", WIDE, TALL)
case("tf.tensordot(x, y, 1)", WIDE, TALL)
case("tf.matmul(x, y)", [[0.0, inf]], [[inf], [0.0]])

# -- complex numbers ---------------------------------------------------------------------------
for _name in "abs angle real imag square".split():
    case(
        "tf.real(tf.cast(tf.%s(tf.complex(x, y)), tf.complex128))" % _name, [0.0, 3.0, -1.0, 0.0], [0.0, 4.0, 0.0, 2.0]
    )
for _name in "sqrt log exp reciprocal tanh sigmoid conj".split():
    case("tf.real(tf.%s(tf.complex(x, y)))" % _name, [3.0, -1.0, 0.0], [4.0, 0.0, 2.0])
case("tf.abs(tf.matrix_determinant(tf.complex(x, y)))", PLAIN, EYE, orders=1)
case("tf.abs(tf.matrix_inverse(tf.complex(x, y)))", PLAIN, EYE)
case("tf.abs(tf.matrix_solve(tf.complex(x, y), tf.complex(y, x)))", PLAIN, EYE)
case("tf.self_adjoint_eigvals(tf.complex(x, y))", [[2.0, 1.0], [1.0, 3.0]], [[0.0, -1.0], [1.0, 0.0]])
case("tf.real(tf.cholesky(tf.complex(x, y)))", [[2.0, 1.0], [1.0, 3.0]], [[0.0, -1.0], [1.0, 0.0]])
case("tf.svd(tf.complex(x, y), compute_uv=False)", TALL, [[0.0, 1.0], [1.0, 0.0], [0.5, 0.5]])
case("tf.svd(tf.complex(x, y))[0]", TALL, [[0.0, 1.0], [1.0, 0.0], [0.5, 0.5]])
case("tf.abs(tf.qr(tf.complex(x, y))[1])", PLAIN, EYE)
