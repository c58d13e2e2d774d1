"""Each row of docs/DIFFERENCES.md, shown."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import numpy as np
import pytest

from retrograd import tf
from retrograd.ops import blas

TABLE = (Path(__file__).parents[1] / "docs" / "DIFFERENCES.md").read_text()


def test_every_row_has_a_test() -> None:
    rows = [line for line in TABLE.splitlines() if line.startswith("| ") and not line.startswith("| in |")]
    named = [re.fullmatch(r"\|(?:[^|]+\|){4} `(test_\w+)` \|", row) for row in rows]
    assert all(named), [row for row, found in zip(rows, named, strict=True) if not found]
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    assert not [found[1] for found in named if found and f"def {found[1]}(" not in tests]


def test_reads_come_before_writes() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(1.0)
        write = v.assign(2.0)
        late = v.read_value()
        with tf.control_dependencies([write]):
            after = v.read_value()
        sess.run(v.initializer)
        assert sess.run([write, late, after, v]) == [2.0, 1.0, 2.0, 2.0]  # a fetched reference is its last value
        assert sess.run(v) == 2.0


def test_failed_run_changes_nothing() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable([1.0, 2.0])
        sess.run(v.initializer)
        with tf.control_dependencies([v.assign([5.0, 6.0])]):
            bad = tf.check_numerics(tf.log(-v.read_value()), "log")
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(bad)
        assert sess.run(v).tolist() == [1.0, 2.0]


def test_fed_arrays_are_not_kept() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [2])
        v = tf.Variable([0.0, 0.0])
        fed = np.array([1.0, 2.0], np.float32)
        got, _ = sess.run([tf.identity(x), v.assign(x)], {x: fed})
        fed[:] = -1.0
        assert got.tolist() == [1.0, 2.0]
        assert sess.run(v).tolist() == [1.0, 2.0]


def test_errors_have_notes() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        with pytest.raises(TypeError) as caught:
            sess.run([tf.constant(1.0), None])
        assert str(caught.value) == "Fetch argument None has invalid type <class 'NoneType'>"
        assert any("Fix:" in note for note in caught.value.__notes__)
        with pytest.raises(tf.errors.InvalidArgumentError) as failed:
            sess.run(tf.placeholder(tf.float32, name="p"))
        assert "Fix:" in failed.value.message


def test_name_scopes_are_per_thread() -> None:
    graph, names = tf.Graph(), []

    def build() -> None:
        with graph.as_default():
            names.append(tf.constant(1.0, name="c").name)

    with graph.as_default(), tf.name_scope("outer"):
        thread = threading.Thread(target=build)
        thread.start()
        thread.join()
    assert names == ["c:0"]


def test_internal_modules_import() -> None:
    import retrograd

    retrograd.install()
    try:
        from tensorflow.python.grappler import tf_optimizer

        with pytest.raises(AttributeError, match=r"does not build tensorflow\.python\.grappler\.tf_optimizer yet"):
            tf_optimizer.OptimizeGraph  # noqa: B018
        with pytest.raises(ModuleNotFoundError):
            import tensorflow.python.no_such_module  # noqa: F401
    finally:
        retrograd.uninstall()


def test_mnist_batches_are_copies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from retrograd.io import mnist

    digits = mnist.read_data_sets(str(tmp_path), validation_size=0)
    capsys.readouterr()
    batch, _ = digits.test.next_batch(10, shuffle=False)
    first = digits.test.images[0].copy()
    batch[:] = -1.0
    assert np.array_equal(digits.test.images[0], first)
    assert not list(tmp_path.iterdir())


def test_failed_run_gives_random_numbers_back() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [])
        drawn = tf.random_uniform([3], seed=1)
        with tf.control_dependencies([drawn]):
            checked = tf.check_numerics(x, "x")
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run([drawn, checked], {x: np.nan})
        first = sess.run(drawn)
    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(tf.random_uniform([3], seed=1)).shape == first.shape
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.placeholder(tf.float32, [])
        assert np.array_equal(sess.run(tf.random_uniform([3], seed=1)), first)


def test_py_func_errors_have_a_cause() -> None:
    def fail(x: np.ndarray) -> np.ndarray:
        raise KeyError("mine")

    with tf.Graph().as_default(), tf.Session() as sess:
        with pytest.raises(tf.errors.UnknownError) as caught:
            sess.run(tf.py_func(fail, [tf.constant(1.0)], tf.float32))
        assert isinstance(caught.value.__cause__, KeyError)


def test_py_funcs_run_in_turn() -> None:
    order: list[int] = []

    def note(n: int) -> np.float32:
        order.append(int(n))
        return np.float32(0)

    with tf.Graph().as_default(), tf.Session() as sess:
        sess.run([tf.py_func(note, [i], tf.float32) for i in range(20)])
    assert order == list(range(20))


def test_minimize_of_a_function() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(3.0)
        step = tf.train.GradientDescentOptimizer(0.5).minimize(lambda: tf.square(v))
        sess.run(v.initializer)
        sess.run(step)
        assert sess.run(v) == 0.0


def test_proximal_steps_in_float64() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(np.float64(3.0))
        step = tf.train.ProximalGradientDescentOptimizer(0.5).minimize(tf.square(v))
        sess.run(v.initializer)
        sess.run(step)
        assert sess.run(v) == 0.0


def test_truncated_division_by_zero() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        for divide in (tf.truncatediv, tf.truncatemod):
            with pytest.raises(tf.errors.InvalidArgumentError, match="Integer division by zero"):
                sess.run(divide(tf.constant(1), tf.constant(0)))


def test_igamma_of_large_arguments() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(tf.igamma(1e5, 1e5)) == pytest.approx(0.50042, abs=1e-4)


def test_multinomial_repeats() -> None:
    def drawn() -> np.ndarray:
        with tf.Graph().as_default(), tf.Session() as sess:
            return sess.run(tf.multinomial(tf.zeros([300, 4]), 5, seed=3))

    assert np.array_equal(drawn(), drawn())


def test_regular_expressions_run_in_pythons_engine() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(tf.strings.regex_replace(["a1", "b22"], r"[[:digit:]]+", "#")).tolist() == [b"a#", b"b#"]


def test_unknown_dimension_as_a_number() -> None:
    with pytest.raises(TypeError, match="__int__ returned non-int") as caught:
        int(tf.Dimension(None))
    assert "Fix:" in str(caught.value) + "".join(getattr(caught.value, "__notes__", ()))


def test_impossible_class_of_label_zero() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        loss = tf.nn.softmax_cross_entropy_with_logits_v2(labels=[[1.0, 0.0]], logits=[[0.0, -np.inf]])
        assert sess.run(loss).tolist() == [0.0]


def test_user_threads_are_given_back() -> None:
    from threadpoolctl import threadpool_info

    before = [library["num_threads"] for library in threadpool_info()]
    with tf.Graph().as_default(), tf.Session() as sess:
        sess.run(tf.matmul(tf.ones([2000, 300]), tf.ones([300, 20])))
    assert [library["num_threads"] for library in threadpool_info()] == before


def test_a_batch_through_a_layer_takes_one_thread() -> None:
    taken: list[int] = []

    class Library:
        def get_num_threads(self) -> int:
            return 2

        set_num_threads = staticmethod(taken.append)

    library = blas.Threads(Library())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blas, "threads", lambda: (library,))
        patch.setattr("retrograd.ops.onednn_products.product", lambda a, b: None)
        for rows in (128, 1024):
            blas.matmul(np.ones([rows, 784], np.float32), np.ones([784, 300], np.float32))
    assert taken == [1, 2]


def test_inputs_are_a_tuple() -> None:
    with tf.Graph().as_default():
        assert isinstance(tf.add(1.0, 2.0).op.inputs, tuple)


def test_kernel_labels_choose_nothing() -> None:
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        with graph._kernel_label_map({"Square": "overload"}):
            y = tf.square(3.0)
        assert sess.run(y) == 9.0


def test_matrices_with_nan() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant([[np.nan, 0.0], [0.0, 1.0]])
        for y in (tf.matrix_determinant(x), tf.linalg.slogdet(x)[1], *tf.svd(x), tf.matrix_solve_ls(x, x, fast=False)):
            assert np.isnan(sess.run(y)).all()
        assert np.isnan(sess.run(tf.matrix_inverse(x))).any()
        for y in (tf.self_adjoint_eigvals(x), tf.self_adjoint_eig(x)[0]):
            with pytest.raises(tf.errors.InvalidArgumentError, match="Self-adjoint eigen decomposition was not succ"):
                sess.run(y)
        batch = tf.stack([x, tf.eye(2)])
        assert sess.run(tf.svd(batch, compute_uv=False))[1].tolist() == [1.0, 1.0]


def test_roots_of_infinity_and_of_minus_zero() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant([np.inf, -0.0] + [1.0] * 14)
        assert [str(v) for v in sess.run(tf.sqrt(x))[:2].tolist()] == ["inf", "-0.0"]
        assert [str(v) for v in sess.run(tf.rsqrt(x))[:2].tolist()] == ["0.0", "-inf"]


def test_complex_quotients_by_zero() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        z = tf.constant([0j], tf.complex64)
        assert np.isinf(sess.run(tf.reciprocal(z)).real).all()


def test_wide_and_complex_orthogonal_factors_have_a_gradient() -> None:
    """Along a line in float64."""
    random = np.random.RandomState(0)
    for m, n, i in ((2, 4, 0.0), (3, 3, 1j), (4, 2, 1j), (2, 4, 1j)):
        value, step = (random.randn(m, n) + i * random.randn(m, n) for _ in range(2))
        with tf.Graph().as_default(), tf.Session() as sess:
            t = tf.placeholder(tf.float64, [])
            factors = tf.qr(value + tf.cast(t, value.dtype) * step)
            parts = [part for factor in factors for part in (tf.real(factor), tf.imag(factor))]
            y = tf.add_n([tf.reduce_sum(part * random.randn(*part.shape.as_list())) for part in parts])
            (slope,) = tf.gradients(y, t)
            numerical = (sess.run(y, {t: 1e-5}) - sess.run(y, {t: -1e-5})) / 2e-5
            assert sess.run(slope, {t: 0.0}) == pytest.approx(numerical, rel=1e-6)


def test_complex_singular_vectors_have_a_gradient() -> None:
    """Of |u|^2, |v|^2 and u v^H, which do not depend on the phases, along a line in float64."""
    random = np.random.RandomState(0)
    for m, n in ((3, 3), (4, 2), (2, 4)):
        value, step = (random.randn(m, n) + 1j * random.randn(m, n) for _ in range(2))
        with tf.Graph().as_default(), tf.Session() as sess:
            t = tf.placeholder(tf.float64, [])
            s, u, v = tf.svd(value + tf.cast(t, tf.complex128) * step)
            product = tf.matmul(u, v, adjoint_b=True)
            parts = [s, tf.square(tf.abs(u)), tf.square(tf.abs(v)), tf.real(product), tf.imag(product)]
            y = tf.add_n([tf.reduce_sum(p * random.randn(*p.shape.as_list())) for p in parts])
            (slope,) = tf.gradients(y, t)
            h = 1e-5
            numerical = (sess.run(y, {t: h}) - sess.run(y, {t: -h})) / (2 * h)
            assert sess.run(slope, {t: 0.0}) == pytest.approx(numerical, rel=1e-6)


def test_areas_and_colors_have_a_gradient() -> None:
    image = tf.image
    functions = [
        lambda x: image.resize_area(x, [3, 3]), lambda x: image.adjust_contrast(x, 2.0),
        lambda x: image.adjust_hue(x, 0.1), lambda x: image.adjust_saturation(x, 0.4), image.hsv_to_rgb,
        image.rgb_to_hsv,
    ]  # fmt: skip
    pixels = np.random.RandomState(0).uniform(0.2, 0.8, (1, 6, 6, 3)).astype("f")
    for function in functions:
        with tf.Graph().as_default(), tf.Session() as sess:
            x = tf.constant(pixels)
            (dx,) = tf.gradients(function(x), x)
            assert dx.op.type == "VJP"
            assert np.abs(sess.run(dx)).max() > 0


def test_noise_around_a_glimpse_repeats() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        glimpse = tf.image.extract_glimpse(tf.ones([1, 4, 4, 1]), [4, 4], [[0.9, 0.9]])
        assert (sess.run(glimpse) == sess.run(glimpse)).all()


def test_dense_labels_are_made_sparse() -> None:
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        logits = tf.constant(np.random.RandomState(0).randn(6, 2, 5).astype("f"))
        dense = tf.nn.ctc_loss_v2(tf.constant([[1, 4, 0], [2, 0, 0]]), logits, [2, 1], [6, 5])
        sparse = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], np.array([1, 4, 2], np.int32), [2, 2])
        wanted = tf.nn.ctc_loss_v2(sparse, logits, None, [6, 5], blank_index=0)
        assert [op.type for op in graph.get_operations()].count("CTCLoss") == 2
        np.testing.assert_allclose(*sess.run([dense, wanted]), rtol=1e-6)


def test_a_mixture_of_unknown_shape_is_checked() -> None:
    kinds = tf.contrib.distributions
    with tf.Graph().as_default(), tf.Session() as sess:
        logits = tf.placeholder(tf.float32, [None, 2])
        choice = kinds.Categorical(logits=logits)
        mixture = kinds.MixtureSameFamily(choice, kinds.Normal(tf.zeros([3, 2]), 1.0), validate_args=True)
        mean = mixture.mean()
        assert sess.run(mean, {logits: np.zeros([3, 2])}).tolist() == [0, 0, 0]
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(mean, {logits: np.zeros([4, 2])})


def test_ngrams_of_an_empty_row() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        rows = tf.ragged.constant([[b"a"], []])
        found = sess.run(tf.strings.ngrams(rows, 3, "|", ("L", "R")))
        assert found.to_list() == [[b"L|L|a", b"L|a|R", b"a|R|R"], [b"L|L|R", b"L|R|R"]]


def test_ragged_arguments_are_dispatched() -> None:
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        rows = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
        total = tf.reduce_sum(rows)
        assert sess.run(total) == 6.0
        assert "RaggedRank/Rank" in [op.name for op in graph.get_operations()]  # of the attempt


def test_skip_grams_start_in_the_tokens():
    from retrograd.tf.contrib import text

    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match="start must be >= 0, got -1"):
        sess.run(text.skip_gram_sample([1, 2, 3], start=-1))
