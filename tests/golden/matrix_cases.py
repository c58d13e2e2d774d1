"""Small programs over tridiagonal matrices, triangular factors, labelled axes and running sums, for any ``tf``.

``record_matrices.py`` runs them under TensorFlow 1.15.5, ``test_matrices.py`` under retrograd.
"""

import numpy as np

CASES = {}


def case(name, build):
    assert name not in CASES, name
    CASES[name] = build


def numbers(*shape, **options):
    return np.random.RandomState(options.get("seed", 0)).randn(*shape)


def derivatives(tf, y, xs, order=2):
    fetches = [y]
    for _ in range(order):
        y = tf.gradients(y, xs)
        fetches += y
    return fetches


def fed(tf, value, shape, name):
    return tf.placeholder_with_default(tf.constant(value), shape, name=name)


# -- tridiagonal matrices ----------------------------------------------------------------------
DIAGONALS = numbers(2, 3, 4) + np.array([[0.0], [3.0], [0.0]])
SIDES = numbers(2, 4, 2, seed=1)


def tridiagonal(function, diagonals, sides, shapes=None, order=2, **options):
    def build(tf):
        d = tf.constant(diagonals, name="d") if shapes is None else fed(tf, diagonals, shapes[0], "d")
        b = tf.constant(sides, name="b") if shapes is None else fed(tf, sides, shapes[1], "b")
        return derivatives(tf, getattr(tf.linalg, function)(d, b, **options), [d, b], order)

    return build


for _function in ("tridiagonal_solve", "tridiagonal_matmul"):
    case(_function, tridiagonal(_function, DIAGONALS, SIDES))
    case(_function + "/one", tridiagonal(_function, DIAGONALS[0], SIDES[0]))
    case(_function + "/partly known", tridiagonal(_function, DIAGONALS, SIDES, ([None, 3, None], [None, None, 2]), 1))
    _square = DIAGONALS[:, 1, :, None] * np.eye(4) + numbers(2, 4, 4)
    case(_function + "/matrix", tridiagonal(_function, _square, SIDES, order=1, diagonals_format="matrix", name="m"))
_options = {"transpose_rhs": True, "conjugate_rhs": True, "partial_pivoting": False}
case("tridiagonal_solve/rows", tridiagonal("tridiagonal_solve", DIAGONALS, SIDES.swapaxes(1, 2), **_options))
case("tridiagonal_solve/vectors", tridiagonal("tridiagonal_solve", DIAGONALS, SIDES[..., 0]))


def sequence(function, short):
    def build(tf):
        ends = DIAGONALS.shape[-1] - short
        parts = [tf.constant(DIAGONALS[:, i, : 4 if i == 1 else ends], name="part%d" % i) for i in range(3)]
        return derivatives(
            tf, getattr(tf.linalg, function)(parts, tf.constant(SIDES), diagonals_format="sequence"), parts
        )

    return build


case("tridiagonal_solve/sequence", sequence("tridiagonal_solve", 0))
case("tridiagonal_solve/short sequence", sequence("tridiagonal_solve", 1))
case("tridiagonal_matmul/sequence", sequence("tridiagonal_matmul", 0))


def misfit(function, diagonals, sides, **options):
    def build(tf):
        def placeholder(dims):
            return tf.placeholder(tf.float32, dims)

        parts = [placeholder(d) for d in diagonals] if isinstance(diagonals, tuple) else placeholder(diagonals)
        return [getattr(tf.linalg, function)(parts, placeholder(sides), **options)]

    return build


_MISFITS = [
    ([3], [3], "compact"),
    ([3, 3], [2, 2, 3], "compact"),
    ([2, 3], [3, 1], "compact"),
    ([4, 3, 3], [5, 3, 1], "compact"),
    ([3, 3], [4, 1], "compact"),
    ([3, 3], [4], "compact"),
    ([3, 3], [3], "x"),
    ([3, 3], [3], "sequence"),
    (([3], [3]), [3], "sequence"),
    (([2, 3], [3], [3]), [3], "sequence"),
    (([5], [3], [3]), [3], "sequence"),
    (([3], [3], [1]), [3], "sequence"),
    ([3, 4], [3], "matrix"),
    ([None, None], [3], "matrix"),
    (None, None, "compact"),
]
for _left, _right, _form in _MISFITS:
    case(
        "misfit/solve %s %s %s" % (_left, _right, _form),
        misfit("tridiagonal_solve", _left, _right, diagonals_format=_form),
    )
for _left, _right, _form in [
    ([3, 3], [3, 1], "x"),
    ([3, 3], [3], "compact"),
    ([3, 4], [3, 1], "compact"),
    ([3, 4], [3, 1], "matrix"),
    ([None, None], [3, 1], "matrix"),
    ([2, 3, 3], [3, 1], "compact"),
    (([2, 3], [3], [3]), [3, 1], "sequence"),
]:
    case(
        "misfit/matmul %s %s %s" % (_left, _right, _form),
        misfit("tridiagonal_matmul", _left, _right, diagonals_format=_form),
    )


def solved(diagonals, sides, pivoting):
    return lambda tf: [
        tf.linalg.tridiagonal_solve(tf.constant(diagonals), tf.constant(sides), partial_pivoting=pivoting)
    ]


for _pivoting in (True, False):
    for _diagonals in (
        [[0.0], [0.0], [0.0]],
        [[0.0], [2.0], [0.0]],
        [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]],
        [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
        [[1.0, 1.0, 0.0], [2.0, 0.0, 3.0], [0.0, 0.0, 1.0]],
        [[1.0, 1.0, 5.0], [2.0, 1.0, 1.0], [7.0, 1.0, 1.0]],
    ):
        _sides = [[1.0], [2.0], [3.0]][: len(_diagonals[0])]
        case("pivoting %s/%s" % (_pivoting, _diagonals), solved(_diagonals, _sides, _pivoting))

# -- triangular factors ------------------------------------------------------------------------
for _label, _matrix in (
    ("two", [[1.0, 2.0], [3.0, 4.0]]),
    ("swap", [[0.0, 1.0], [1.0, 0.0]]),
    ("batch", numbers(3, 4, 4)),
    ("singular", [[0.0, 0.0], [0.0, 1.0]]),
    ("rank one", [[1.0, 2.0], [2.0, 4.0]]),
    ("empty", np.zeros((2, 0, 0))),
    ("tie", [[2.0, 1.0], [-2.0, 3.0]]),
    ("complex", np.array([[1, 2j], [1 + 1j, 3]])),
    ("float32", numbers(3, 3).astype(np.float32)),
    ("wide", np.ones((2, 3))),
):
    case("lu/" + _label, lambda tf, m=_matrix: list(tf.linalg.lu(m)))
case("lu/int64", lambda tf: list(tf.linalg.lu(numbers(2, 2), output_idx_type=tf.int64, name="f")))
case("lu/unknown", lambda tf: list(tf.linalg.lu(fed(tf, numbers(2, 2), None, "x"))))
case("lu/partly known", lambda tf: list(tf.linalg.lu(fed(tf, numbers(1, 2, 2), [None, None, 2], "x"))))

# -- labelled axes -----------------------------------------------------------------------------


def einsum(equation, *shapes, **options):
    def build(tf):
        static = options.get("static", shapes)
        xs = [fed(tf, np.arange(float(np.prod(s))).reshape(s), t, "x") for s, t in zip(shapes, static)]
        return [tf.raw_ops.Einsum(inputs=xs, equation=equation)]

    return build


for _equation, _shapes in (
    ("ij,jk->ik", [(2, 3), (3, 4)]),
    ("...ij,...jk->...ik", [(5, 2, 3), (1, 3, 4)]),
    ("ij->i", [(2, 3)]),
    ("ii->i", [(3, 3)]),
    ("ii->", [(3, 3)]),
    ("i->ii", [(3,)]),
    ("ij->ji", [(2, 3)]),
    ("ij,ij->", [(2, 3), (2, 3)]),
    ("a...->...", [(2, 3)]),
    ("i,->i", [(2,), ()]),
    ("...ij->...ji", [(1, 2, 2)]),
    ("i1->i", [(2, 3)]),
    ("ii->i", [(3, 4)]),
    ("ij,jk", [(2, 3), (3, 4)]),
    ("ij,jk->il", [(2, 3), (3, 4)]),
    ("ij,jk->ik", [(2, 3), (4, 4)]),
    ("i,j,k->ijk", [(1,), (2,), (3,)]),
):
    case("einsum/%s %s" % (_equation, _shapes), einsum(_equation, *_shapes))
    case("einsum/%s %s unknown" % (_equation, _shapes), einsum(_equation, *_shapes, static=[None] * len(_shapes)))

# -- running sums of exponentials, packed comparisons ------------------------------------------
ROWS = np.array([[1, 2, 3], [0, -np.inf, 1], [-np.inf, -np.inf, 2], [1000, -1000, 5], [np.inf, 1, 2]], np.float32)
for _exclusive in (False, True):
    for _reverse in (False, True):

        def running(tf, exclusive=_exclusive, reverse=_reverse):
            x = tf.constant(ROWS)
            return derivatives(tf, tf.math.cumulative_logsumexp(x, 1, exclusive, reverse), [x], 1)

        case("cumulative_logsumexp %s %s" % (_exclusive, _reverse), running)
case("cumulative_logsumexp/axis", lambda tf: [tf.math.cumulative_logsumexp(numbers(2, 3), axis=2)])
case("pack", lambda tf: [tf.raw_ops.CompareAndBitpack(input=numbers(2, 16), threshold=0.5)])
case("pack/booleans", lambda tf: [tf.raw_ops.CompareAndBitpack(input=[True, False] * 4, threshold=False)])
for _shape, _threshold in (((2, 7), 5.0), ((), 5.0), ((2, 8), [5.0])):
    for _known in (True, False):

        def packed(tf, shape=_shape, threshold=_threshold, known=_known):
            x = fed(tf, np.ones(shape), shape if known else None, "x")
            t = fed(tf, threshold, np.shape(threshold) if known else None, "t")
            return [tf.raw_ops.CompareAndBitpack(input=x, threshold=tf.cast(t, tf.float64))]

        case("pack/%s %s %s" % (_shape, _threshold, _known), packed)

# -- layouts of images, histograms, slices of all rows -----------------------------------------


def layout(function, value, *formats, **options):
    def build(tf):
        from tensorflow.python.ops import nn_ops

        x = fed(tf, np.array(value, options.get("dtype", np.int32)), options.get("shape", np.shape(value)), "x")
        return [getattr(nn_ops, function)(x, *formats)]

    return build


for _function, _value, _formats in (
    ("data_format_vec_permute", [7, 4, 9, 3], ()),
    ("data_format_vec_permute", [7, 4, 9, 3], ("NCHW", "NHWC")),
    ("data_format_vec_permute", [7, 4, 9, 3], ("NHWC", "HWNC")),
    ("data_format_vec_permute", [7, 4, 9], ()),
    ("data_format_vec_permute", [[7, 4], [9, 3], [4, 5], [5, 1]], ("NHWC", "NCHW")),
    ("data_format_vec_permute", [[1, 2, 3]] * 4, ()),
    ("data_format_vec_permute", 3, ()),
    ("data_format_vec_permute", [7, 4, 9, 3], ("NHWC", "NHW")),
    ("data_format_vec_permute", [7, 4, 9, 3], ("NHWC", "NHHC")),
    ("data_format_dim_map", 1, ("NNHW", "NHWC")),
    ("data_format_dim_map", [0, 1, 2, 3], ()),
    ("data_format_dim_map", -1, ()),
    ("data_format_dim_map", [[0, 1], [-2, -4]], ("NCHW", "NHWC")),
    ("data_format_dim_map", [0, 1], ("NHWC", "HWNC")),
    ("data_format_dim_map", 1, ("NHW", "NCHW")),
):
    case("%s %s %s" % (_function, _value, _formats), layout(_function, _value, *_formats))
case("data_format_vec_permute/int64", layout("data_format_vec_permute", [7, 4, 9, 3], dtype=np.int64, shape=None))


def histogram(value_range, nbins):
    return lambda tf: [tf.histogram_fixed_width([-1.0, 0.0, 1.5, 3.0], value_range, nbins)]


for _range, _nbins in (([1.0, 5.0], -5), ([1.0, 5.0], 0), ([1.0, 5.0], 3)):
    case("histogram %s %s" % (_range, _nbins), histogram(_range, _nbins))


def rows_as_slices(tf):
    from tensorflow.python.ops import math_ops

    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    few = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0], tf.int64))
    slices = [math_ops._as_indexed_slices(x, optimize=False)] + math_ops._as_indexed_slices_list([x, few])
    return [t for s in slices for t in (s.values, s.indices)]


case("rows as slices", rows_as_slices)

# -- diagonals that do not fit -----------------------------------------------------------------
for _left, _right in (
    ((3, 3), (2,)),
    ((2, 3, 3), (3,)),
    ((2, 3, 4), (2, 3)),
    ((None, 3, 4), (2, None)),
    ((3, 3), (1, 3)),
    (None, (3,)),
):

    def set_diagonal(tf, left=_left, right=_right):
        x, diagonal = (tf.placeholder(tf.float32, None if dims is None else list(dims)) for dims in (left, right))
        return [tf.constant(str(tf.matrix_set_diag(x, diagonal).shape))]

    case("set_diag %s %s" % (_left, _right), set_diagonal)
