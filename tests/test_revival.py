"""Names that are back after ``retrograd.install()``, what they do, and what NumPy prints."""

import importlib
import subprocess
import sys
import warnings

import numpy as np
import pytest

import retrograd
from retrograd import hook, revival
from retrograd.ops import constants


@pytest.fixture(scope="module", autouse=True)
def installed():
    before = hook.installed()
    retrograd.install()
    yield
    if not before:
        retrograd.uninstall()


def in_another_python(program, *options):
    done = subprocess.run([sys.executable, *options, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.stdout


NAMES_OF_NUMPY_1 = """
    AxisError ComplexWarning Inf Infinity NAN NINF NZERO NaN PINF PZERO RankWarning TooHardError
    VisibleDeprecationWarning alen alltrue asfarray asscalar bool bool8 bytes0 cast cfloat chararray
    clongfloat compare_chararrays complex complex_ cumproduct disp find_common_type float float_
    format_parser in1d infty int int0 issctype issubclass_ issubsctype long longcomplex longfloat
    mat math maximum_sctype msort nbytes obj2sctype object object0 product rank round_ row_stack
    sctype2char sctypes singlecomplex sometrue source str str0 string_ sys trapz typeDict uint0
    unicode unicode_ void0
"""


@pytest.mark.smoke
@pytest.mark.parametrize("name", NAMES_OF_NUMPY_1.split())
def test_numpy_has_its_old_names(name):
    assert hasattr(np, name)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of a NumPy that still has the name
@pytest.mark.parametrize(
    ("got", "want"),
    [
        (lambda: np.zeros(1, np.float).dtype, np.float64),
        (lambda: np.zeros(1, np.int).dtype, np.int64),
        (lambda: np.zeros(1, np.object).dtype, object),
        (lambda: np.find_common_type([np.float32], [np.int64, np.float64]), np.float32),
        (lambda: np.find_common_type([], [np.int64, np.complex128]), np.complex128),
        (lambda: np.find_common_type([np.int32], [np.float64]), np.float64),
        (lambda: np.find_common_type(["f4", "i8"], ["c8"]), np.complex128),
        (lambda: np.find_common_type([np.int8], [np.int64]), np.int8),
        (lambda: np.find_common_type([bool], ["u1"]), np.uint8),
        (lambda: np.find_common_type([np.float32, np.float64], []), np.float64),
        (lambda: np.cast["int32"]([1.5, 2]).tolist(), [1, 2]),
        (lambda: np.cast[np.float32](3).dtype, np.float32),
        (lambda: np.issubclass_(np.float32, np.floating), True),
        (lambda: np.issubclass_(3, np.floating), False),
        (lambda: (np.issctype(np.float32), np.issctype(3)), (True, False)),
        (lambda: np.obj2sctype(np.array([1.0])), np.float64),
        (lambda: np.obj2sctype("f4"), np.float32),
        (lambda: np.obj2sctype("no such type"), None),
        (lambda: np.sctype2char("d"), "d"),
        (lambda: np.maximum_sctype("f4"), np.longdouble),
        (lambda: np.issubsctype("f4", np.floating), True),
        (lambda: np.nbytes[np.float32], 4),
        (lambda: np.asfarray([1], dtype=np.int32).dtype, np.float64),
        (lambda: np.asfarray(np.ones(1), np.float32).dtype, np.float32),
        (lambda: (np.alen([[1, 2], [3, 4]]), np.alen(5)), (2, 1)),
        (lambda: np.asscalar(np.array([3])), 3),
        (lambda: np.msort([[3, 1], [2, 4]]).tolist(), [[2, 1], [3, 4]]),
        (lambda: np.in1d([[1, 2, 3]], [2], invert=True).tolist(), [True, False, True]),
        (lambda: np.trapz([1, 2, 3], dx=2), 8.0),
        (lambda: np.rank(np.ones((2, 3))), 2),
        (lambda: np.lib.pad([1], 1, "constant").tolist(), [0, 1, 0]),
    ],
)
def test_numpys_old_names_do_what_they_did(got, want):
    assert got() == want


def test_percentiles_take_their_old_argument():
    assert np.percentile([1, 2, 4], 40, interpolation="nearest") == 2
    assert np.quantile([1, 2, 4], 0.4, interpolation="lower") == np.nanquantile([1, 2, 4], 0.4, interpolation="lower")


def test_reshape_takes_its_old_argument():
    assert np.reshape([1, 2], newshape=(2, 1)).shape == (2, 1)
    assert np.reshape([1, 2], (2, 1), order="F").shape == (2, 1)


def test_ragged_lists_are_arrays_of_lists():
    assert np.array([[1], [2, 3]]).tolist() == [[1], [2, 3]]
    rows = np.array([(np.zeros(3), np.zeros(2)), (np.zeros(3), np.zeros(2))])
    assert rows.dtype == object
    assert rows.shape == (2, 2)
    assert np.asarray([[1], [2, 3]]).tolist() == [[1], [2, 3]]
    assert (np.ndim([[1], [2, 3]]), np.shape([[1], [2, 3]]), np.max([[1], [2, 3]])) == (1, (2,), [2, 3])
    assert np.nan_to_num((np.ones((3, 2)), np.ones(2))).shape == (2,)
    assert sorted(np.random.permutation([[1], [2, 3]]).tolist()) == [[1], [2, 3]]
    assert np.vstack([(np.zeros(2), 1, 0.5), (np.zeros(2), 0, 0.1)]).shape == (2, 3)
    assert [part.tolist() for part in np.array_split([[1], [2, 3]], 2)] == [[[1]], [[2, 3]]]
    with pytest.raises(ValueError, match="inhomogeneous"):
        np.array([[1], [2, 3]], np.float32)
    with pytest.raises(ValueError, match="inhomogeneous"):
        np.asarray([[1], [2, 3]], dtype=np.float32)
    with pytest.raises(ValueError, match="must be a dense tensor"):
        importlib.import_module("retrograd.tf").constant([[1], [2, 3]])


def test_numbers_among_arrays_of_one_number_are_an_array():
    """What an environment's rewards and targets are, where some came from a network."""
    rewards = [1.0, np.array([2.0])]
    assert np.reshape(rewards, (2, 1)).tolist() == [[1.0], [np.array([2.0])]]
    assert np.squeeze(rewards).shape == np.transpose(rewards).shape == (2,)
    assert (np.mean(rewards).tolist(), np.std(rewards).tolist(), np.sum(rewards).tolist()) == ([1.5], [0.5], [3.0])
    assert np.concatenate([rewards, [3.0]]).tolist() == [1.0, np.array([2.0]), 3.0]
    np.testing.assert_array_equal(np.array(rewards, np.float32), np.float32([1, 2]), strict=True)
    np.testing.assert_array_equal(np.asarray(rewards, dtype=np.float32), np.float32([1, 2]), strict=True)
    with pytest.raises(ValueError, match="inhomogeneous"):
        np.array([1.0, [2.0]], np.float32)


def test_ragged_lists_go_into_files(tmp_path):
    np.save(tmp_path / "rows.npy", [[1], [2, 3]])
    assert np.load(tmp_path / "rows.npy", allow_pickle=True).tolist() == [[1], [2, 3]]


def test_an_array_of_no_shape_is_a_number():
    assert [np.ones(None).shape, np.zeros(None).shape, np.full(None, 2).shape] == [(), (), ()]


def test_arrays_have_their_old_methods():
    a = np.arange(6, dtype="<f4").reshape(2, 3)
    assert a.tostring() == a.tobytes()
    assert a.view(np.matrix).tostring("F") == a.tobytes("F")
    assert np.float32(2).tostring() == np.float32(2).tobytes()
    assert (a.ptp(), a.ptp(0).tolist()) == (5.0, [3.0, 3.0, 3.0])
    assert np.arange(2, dtype="<i2").newbyteorder().tolist() == [0, 256]
    a.itemset(3, 9.0)
    a.itemset((0, 0), 7.0)
    a.itemset(1, 1, 5.0)
    assert a.tolist() == [[7.0, 1.0, 2.0], [9.0, 5.0, 5.0]]
    one = np.zeros((1, 1))
    one.itemset(3.0)
    assert one.tolist() == [[3.0]]
    with pytest.raises(ValueError, match="size 1"):
        a.itemset(1.0)
    import array

    numbers = array.array("b", [1, 2])
    numbers.fromstring(b"\3")
    assert numbers.tostring() == b"\1\2\3"


def put(a, value):
    a[0] = value
    return a


@pytest.mark.parametrize(
    ("got", "want"),
    [
        (lambda: float(np.array([1.5])), 1.5),
        (lambda: int(np.array([[3]])), 3),
        (lambda: complex(np.array([2.0])), 2 + 0j),
        (lambda: put(np.zeros(2), np.array([2.5])).tolist(), [2.5, 0]),
        (lambda: put(np.zeros(2, int), np.array([2.5])).tolist(), [2, 0]),
        (lambda: "%d %.1f" % (np.array([3]), np.array([[1.0]])), "3 1.0"),  # noqa: UP031
        (lambda: np.arange(np.array([3])).tolist(), [0, 1, 2]),
        (lambda: bool(np.array([])), False),
        (lambda: bool(np.array([2])), True),
        (lambda: np.fromstring(b"\1\2\3\4", np.uint8).tolist(), [1, 2, 3, 4]),
        (lambda: np.fromstring(b"\1\2\3\4", dtype="<i2").tolist(), [513, 1027]),
        (lambda: np.fromstring("abc", np.uint8, 2).tolist(), [97, 98]),
        (lambda: np.fromstring(b"", np.uint8).tolist(), []),
        (lambda: np.fromstring("1 2", sep=" ").tolist(), [1.0, 2.0]),
        (lambda: np.array([1, 2], copy=False).tolist(), [1, 2]),
        (lambda: np.array(np.ones(2), dtype="f4", copy=False).dtype, np.float32),
        (lambda: np.array([300, -1], np.uint8).tolist(), [44, 255]),
        (lambda: np.vstack(map(np.ones, [2, 2])).shape, (2, 2)),
        (lambda: np.stack(np.ones(1) for _ in range(2)).shape, (2, 1)),
        (lambda: np.sum(x for x in [1, 2]), 3),
        (lambda: np.uint8(200) * 2, 400),
        (lambda: 300 - np.int8(100), 200),
        (lambda: np.uint8(200) + np.uint8(100) - 0, 44),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")
def test_numpy_takes_what_it_took(got, want):
    assert got() == want


SINGLES, BYTES = np.ones(2, np.float32), np.ones(2, np.uint8)


@pytest.mark.parametrize(
    ("got", "dtype"),
    [
        (lambda: np.float32(1) * 0.1, "float64"),
        (lambda: sum([np.float32(1), np.float32(2)]), "float64"),
        (lambda: 2 - np.float16(1), "float64"),
        (lambda: np.float32(1) * True, "float32"),
        (lambda: np.complex64(1) * 2.0, "complex128"),
        (lambda: np.int32(2) ** 3, "int64"),
        (lambda: np.uint64(2) + 3, "float64"),
        (lambda: np.sqrt(6.0) * SINGLES, "float32"),
        (lambda: np.float64(2) / SINGLES.view(np.matrix), "float32"),
        (lambda: divmod(np.float64(7), SINGLES)[0], "float32"),
        (lambda: np.float64(1e300) * SINGLES, "float64"),
        (lambda: np.float64(1e5) * SINGLES.astype(np.float16), "float32"),
        (lambda: np.float64(2) * SINGLES[:1].reshape(()), "float64"),
        (lambda: np.complex128(1) * SINGLES, "complex64"),
        (lambda: np.prod([2, 3]) * SINGLES, "float32"),
        (lambda: np.int64(3) * SINGLES.astype(np.int32), "int32"),
        (lambda: np.int64(300) * BYTES, "uint16"),
        (lambda: np.int64(-3) * BYTES, "int16"),
        (lambda: np.int64(100) * BYTES.astype(np.int8), "int8"),
        (lambda: np.float64(2) * BYTES, "float64"),
    ],
)
def test_a_scalar_yields_to_an_array_and_to_no_other_scalar(got, dtype):
    assert got().dtype == dtype  # NumPy 1.18.5's


def test_an_array_that_stands_first_has_numpy_2s_type():
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        assert (SINGLES * np.sqrt(6.0)).dtype == np.float64


def test_numpy_still_refuses_what_it_refused():
    for convert in (float, int, complex):
        with pytest.raises(TypeError, match="only size-1 arrays"):
            convert(np.ones(2))
    with pytest.raises(ValueError, match="multiple of element size"):
        np.fromstring(b"12345", np.int16)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(np.ones(2))


def test_python_takes_what_it_took():
    import json
    import random

    assert json.loads("[1]", encoding="utf-8") == [1]
    assert set(random.sample({1, 2, 3}, 3)) == {1, 2, 3}
    assert random.sample({"a": 1}.keys(), 1) == ["a"]
    numbers = [1, 2, 3, 4]
    random.shuffle(numbers, lambda: 0.3)
    assert numbers == [4, 3, 1, 2]  # as Python 3.7 left them
    with pytest.raises(TypeError):
        random.sample(3, 1)


def test_scipy_reads_and_resizes_images(tmp_path):
    misc = pytest.importorskip("scipy.misc")
    image = pytest.importorskip("PIL.Image")
    pixels = np.random.RandomState(0).rand(20, 30, 3)
    misc.imsave(tmp_path / "a.png", pixels)
    read = misc.imread(tmp_path / "a.png")
    # these sums are SciPy 1.1.0's
    assert read.sum() == 231246
    assert misc.imresize(read, (7, 8)).sum() == 21632
    assert misc.imresize(read, 50).shape == (10, 15, 3)
    assert misc.imresize(read, 0.3, "nearest").sum() == 21612
    assert misc.imresize(np.arange(40.0).reshape(5, 8), 200).sum() == 20432
    assert misc.imread(tmp_path / "a.png", mode="L").sum() == 76890
    assert misc.imread(tmp_path / "a.png", flatten=True).dtype == np.float32
    assert misc.imrotate(read, 30).sum() == 188317
    assert misc.bytescale(np.arange(5.0)).tolist() == [0, 64, 128, 191, 255]
    assert misc.toimage(np.moveaxis(read, 2, 0)).size == (30, 20)
    assert misc.toimage(read[..., 0], mode="P").mode == "P"
    with pytest.raises(ValueError, match="suitable array shape"):
        misc.toimage(np.zeros((2, 2, 2)))
    assert image.ANTIALIAS == image.LANCZOS
    assert misc.comb(5, 2) == 10


def test_scipy_takes_differences():
    misc = pytest.importorskip("scipy.misc")
    assert misc.central_diff_weights(5).tolist() == pytest.approx([1 / 12, -2 / 3, 0, 2 / 3, -1 / 12])
    # these numbers are SciPy 1.4.1's
    assert misc.derivative(np.sin, 1.0, dx=1e-3) == pytest.approx(0.5403022158176896, rel=1e-12)
    assert misc.derivative(np.exp, 0.0, dx=0.1, n=3, order=5) == pytest.approx(1.0025025014058773, rel=1e-10)
    squares = misc.derivative(lambda x, a: a * x**2, np.array([1.0, 2.0]), 1e-3, 2, (3.0,), 7)
    assert squares.tolist() == pytest.approx([6.0, 6.0])
    with pytest.raises(ValueError, match=r"^'order' .*, must be at least the derivative order 'n' \+ 1\.$"):
        misc.derivative(np.sin, 1.0, order=1)
    with pytest.raises(ValueError, match=r"^The number of points must be odd\.$"):
        misc.central_diff_weights(2)


def test_numpys_names_are_scipys():
    scipy = pytest.importorskip("scipy")
    from scipy import randn, sign

    assert sign([-2.0, 0.0]).tolist() == [-1.0, 0.0]
    assert scipy.sqrt(-1) == 1j
    assert scipy.log(-1.0).imag == np.pi
    assert randn(2).shape == (2,)
    assert scipy.ifft([4.0, 0.0]).tolist() == [2, 2]
    assert scipy.array is np.array
    assert scipy.fft.fft([1.0, 1.0])[0] == 2  # a module by now
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        scipy.nothing  # noqa: B018


def test_scipys_old_names():
    pytest.importorskip("scipy")
    from scipy import integrate, ndimage, signal
    from scipy.sparse.linalg.eigen.arpack import eigsh

    assert integrate.simps([1.0, 2.0, 3.0], dx=1.0) == pytest.approx(4.0)
    assert integrate.cumtrapz([1.0, 3.0]).tolist() == [2.0]
    assert signal.gaussian(3, 1.0)[1] == 1.0
    assert ndimage.rotate(np.eye(3), np.array([90]), reshape=False).round().tolist() == np.eye(3)[::-1].tolist()
    np.testing.assert_allclose(eigsh(np.diag([1.0, 2.0, 5.0]), k=1, which="LM")[0], [5.0])


def test_sparse_matrices_are_written_out_by_their_old_names():
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_matrix(np.array([[1, 2j], [0, 3]]))
    assert matrix.A.tolist() == [[1, 2j], [0, 3]]
    assert matrix.H.toarray().tolist() == [[1, 0], [-2j, 3]]


def test_the_mode_keeps_the_axis():
    stats = pytest.importorskip("scipy.stats")
    mode, count = stats.mode([[1, 2], [1, 3], [0, 3]])
    assert (mode.tolist(), count.tolist()) == ([[1, 3]], [[2, 2]])  # as SciPy 1.4 gave them
    assert stats.mode([1, 1, 2])[0][0] == 1


def test_pillow_measures_texts_as_before():
    pytest.importorskip("PIL.ImageFont")
    from matplotlib import font_manager
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.truetype(font_manager.findfont("DejaVu Sans"), 20, layout_engine=ImageFont.Layout.BASIC)
    draw = ImageDraw.Draw(Image.new("RGB", (9, 9)))
    # these sizes are Pillow 9.5's
    assert [font.getsize(text) for text in ("cat: 99%", "gy", "A")] == [(89, 19), (25, 23), (14, 19)]
    assert draw.textsize("gy", font) == font.getsize("gy")
    assert draw.textsize("cat\ndogs", font=font) == font.getsize_multiline("cat\ndogs") == (48, 42)
    assert font.getoffset("gy") == (0, 8)


def test_lists_of_tensors_are_arrays_of_tensors():
    one, two = constants.constant(1.0), constants.constant([2.0, 3.0])
    made = np.array([[one, two], [two, one]])
    assert made.shape == (2, 2)
    assert made[0, 1] is two
    assert np.sum([one, one]).op.type in ("Add", "AddV2")
    with pytest.raises(NotImplementedError, match="symbolic Tensor"):
        np.array(one)


def test_modules_of_multiprocessing_are_found():
    code = "import retrograd; retrograd.install(); import multiprocessing as m; print(m.pool.ThreadPool.__name__)"
    assert in_another_python(code) == "ThreadPool\n"


def test_tensorflow_is_among_the_installed_packages():
    code = (
        "from importlib import metadata as m; import retrograd; retrograd.install(); print(m.version('tensorflow'))\n"
        "print('tensorflow' in {d.metadata['Name'] for d in m.distributions()})\n"
        "try:\n    import pkg_resources\nexcept ImportError:\n    print(1)\n"
        "else:\n    print(len(pkg_resources.require('tensorflow>=1.0.0')))\n"
        "retrograd.uninstall()\n"
        "try:\n    print(m.version('tensorflow'))\nexcept m.PackageNotFoundError:\n    print('none')"
    )
    assert in_another_python(code, "-W", "ignore") == "1.15.5\nTrue\n1\nnone\n"


def test_tsne_takes_its_old_argument():
    manifold = pytest.importorskip("sklearn.manifold")
    assert manifold.TSNE(n_iter=300).get_params()["max_iter"] == 300


def test_modules_of_products_and_of_checks_that_were_removed():
    from numpy.core.umath_tests import inner1d, matrix_multiply

    x = np.arange(6.0).reshape(2, 3)
    assert inner1d(x, x).tolist() == [5, 50]
    assert matrix_multiply(x, x.T).tolist() == [[5, 14], [14, 50]]
    pytest.importorskip("sklearn")
    from sklearn.utils.testing import assert_array_almost_equal, assert_raises, assert_true

    assert_array_almost_equal(x, x + 1e-9)
    assert_true(x.any())
    with assert_raises(AssertionError):
        assert_array_almost_equal(x, x + 1)


def test_scikit_learns_old_names():
    datasets = pytest.importorskip("sklearn.datasets")
    from sklearn.cross_validation import train_test_split
    from sklearn.externals import joblib
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import OneHotEncoder

    houses = datasets.load_boston()
    x, y = datasets.load_boston(return_X_y=True)
    assert x.shape == (506, houses.feature_names.size)
    assert houses.target.sum() == y.sum() == pytest.approx(11401.6)
    assert x.sum() == pytest.approx(460946.55522, abs=1e-5)
    assert len(train_test_split(x, y)) == 4
    assert callable(joblib.dump)
    words = CountVectorizer().fit(["a house", "by the river"])
    assert words.get_feature_names() == ["by", "house", "river", "the"]
    assert OneHotEncoder(sparse=False).fit_transform([["a"], ["b"]]).tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_scikit_learns_modules_by_the_names_that_they_had():
    pytest.importorskip("sklearn")
    from sklearn.cluster.k_means_ import KMeans
    from sklearn.linear_model.logistic import LogisticRegression
    from sklearn.metrics.classification import accuracy_score

    assert KMeans.__name__ + LogisticRegression.__name__ == "KMeansLogisticRegression"
    assert accuracy_score([0, 1], [1, 1]) == 0.5
    with pytest.raises(ModuleNotFoundError, match=r"sklearn\.metrics\.colours"):
        importlib.import_module("sklearn.metrics.colours")


def test_scikit_learns_named_arguments_by_their_places():
    code = (
        "import retrograd; retrograd.install()\n"
        "from sklearn.datasets import make_blobs\nfrom sklearn.linear_model import Ridge\n"
        "from sklearn.metrics import confusion_matrix\n"
        "print(make_blobs(6, 3, 2)[0].shape, confusion_matrix([0, 1], [1, 1], [1, 0]).tolist())\n"
        "print(Ridge(0.5, False).get_params()['fit_intercept'])\n"
        "try:\n    Ridge(*range(20))\nexcept TypeError:\n    print('too many')"
    )
    pytest.importorskip("sklearn")
    assert in_another_python(code, "-W", "ignore") == "(6, 3) [[1, 0], [1, 0]]\nFalse\ntoo many\n"


def test_matplotlibs_old_names():
    matplotlib = pytest.importorskip("matplotlib")
    from matplotlib import cm, figure, style

    assert cm.get_cmap("viridis", 4).N == 4
    assert "seaborn" in style.library
    assert figure.Figure().gca(projection="polar").name == "polar"
    with matplotlib.rc_context({"pgf.preamble": ["a", "b"]}):
        assert matplotlib.rcParams["pgf.preamble"] == "a\nb"


def test_numpy_source_and_disp_print(capsys):
    np.source(revival.install)
    np.disp("done", linefeed=False)
    printed = capsys.readouterr().out
    assert printed.startswith(f"In file: {revival.__file__}\n\ndef install(")
    assert printed.endswith("done")


def test_names_that_are_there_stay():
    kept = in_another_python(
        "import numpy as np; np.float = 'mine'; import retrograd; retrograd.install();"
        "print(np.float, np.int); retrograd.uninstall(); print(np.float, hasattr(np, 'int'))"
    )
    assert kept == "mine <class 'int'>\nmine False\n"


def test_numpy_prints_as_numpy_1():
    printed = in_another_python(
        "import retrograd, threading; retrograd.install()\n"
        "import numpy as np\n"
        "def show():\n"
        "    print([np.float32(60.0), np.int64(3), np.bool_(True), np.str_('a')], np.array([0.1, 1e-5]))\n"
        "show(); thread = threading.Thread(target=show); thread.start(); thread.join()\n"
        "np.set_printoptions(precision=2); show()\n"
    )
    assert printed == (
        "[60.0, 3, True, 'a'] [1.e-01 1.e-05]\n"
        "[60.0, 3, True, 'a'] [1.e-01 1.e-05]\n"
        "[60.0, 3, True, 'a'] [1.e-01 1.e-05]\n"
    )


def test_pythons_old_names():
    import base64
    import collections
    import fractions
    import inspect
    import os
    import threading
    import time
    import unittest

    assert collections.Callable is collections.abc.Callable
    assert issubclass(collections.OrderedDict, collections.MutableMapping)
    assert time.clock() <= time.clock()
    assert [fractions.gcd(*pair) for pair in ((-4, 6), (4, -6), (0, 0), (6.0, 4.0))] == [2, -2, 0, 2.0]
    assert base64.decodestring(base64.encodestring(b"any")) == b"any"
    assert os.errno.ENOENT == 2
    assert threading.Thread.isAlive is threading.Thread.is_alive
    assert unittest.TestCase.assertEquals is not None

    spec = inspect.getargspec(lambda a, b=1, *c, **d: None)
    assert spec == (["a", "b"], "c", "d", (1,))
    assert spec.keywords == "d"
    with pytest.raises(ValueError, match="keyword-only parameters or annotations"):
        inspect.getargspec(lambda *, a: None)
    relu = importlib.import_module("retrograd.tf").nn.relu
    assert inspect.getargspec(relu) == (["features", "name"], None, None, (None,))


def test_the_modules_of_urllib_are_found():
    import urllib

    before = urllib.__dict__.pop("response", None)
    try:
        assert urllib.response.__name__ == "urllib.response"
        with pytest.raises(AttributeError, match="module 'urllib' has no attribute 'urlretrieve'"):
            _ = urllib.urlretrieve
    finally:
        if before is not None:
            urllib.response = before


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of a Python that still has the modules
def test_modules_that_pythons_dropped(tmp_path):
    import xml.etree.cElementTree as ElementTree
    from distutils.version import LooseVersion

    assert ElementTree.fromstring("<a><b/></a>")[0].tag == "b"
    assert LooseVersion("1.9.0") < LooseVersion("1.10.0-rc1")


class TestStandIns:
    """Those that this Python may not need: what is recorded here of each is what Python 3.7's own does."""

    def test_versions(self):
        from retrograd.revived.distutils.version import LooseVersion, StrictVersion

        assert repr(LooseVersion("1.15.5")) == "LooseVersion ('1.15.5')"
        assert LooseVersion("1.15.0-rc1").version == [1, 15, 0, "-", "rc", 1]
        assert LooseVersion("1.2") < "1.10"
        assert LooseVersion("1.2") >= "1.2"
        assert repr(StrictVersion("1.2a3")) == "StrictVersion ('1.2a3')"
        assert str(StrictVersion("1.2.0")) == "1.2"
        assert StrictVersion("1.2a3") < StrictVersion("1.2") < StrictVersion("1.2.1")
        assert StrictVersion("1.2a3").prerelease == ("a", 3)
        with pytest.raises(ValueError, match=r"invalid version number '1\.2\.x'"):
            StrictVersion("1.2.x")

    def test_strtobool(self):
        from retrograd.revived.distutils.util import strtobool

        assert [strtobool(word) for word in ("Yes", "on", "off", "0")] == [1, 1, 0, 0]
        with pytest.raises(ValueError, match="invalid truth value 'maybe'"):
            strtobool("maybe")

    def test_imp(self, tmp_path):
        from retrograd.revived import imp

        path = tmp_path / "settings.py"
        path.write_text("rate = 0.1")
        module = imp.load_source("settings_of_a_test", str(path))
        assert (module.rate, module.__name__) == (0.1, "settings_of_a_test")
        path.write_text("rate = 'twice as high'")
        file, *found = imp.find_module("settings", [str(tmp_path)])
        with file:
            assert imp.load_module("settings_of_a_test", file, *found).rate == "twice as high"
        assert imp.find_module("email")[2] == ("", "", imp.PKG_DIRECTORY)
        with pytest.raises(ImportError):
            imp.find_module("no_such_module")
        del sys.modules["settings_of_a_test"]

    def test_folders(self, tmp_path):
        from retrograd.revived.distutils import dir_util

        deep = tmp_path / "a" / "b"
        assert dir_util.mkpath(str(deep)) == [str(tmp_path / "a"), str(deep)]
        (deep / "file").touch()
        copies = dir_util.copy_tree(str(tmp_path / "a"), str(tmp_path / "c"))
        assert copies == [str(tmp_path / "c" / "b" / "file")]
        dir_util.remove_tree(str(tmp_path / "a"))
        assert not deep.exists()

    def test_find_executable(self):
        from retrograd.revived.distutils.spawn import find_executable

        assert find_executable("sh", "/bin") == "/bin/sh"


def test_h5py_opens_and_reads_as_before(tmp_path):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "new.h5"
    with h5py.File(path) as file:
        file.attrs.update(bytes=b"{}", text="{}", fixed=np.bytes_(b"{}"))
        file.attrs["many"] = np.array([b"a", b"bc"], h5py.special_dtype(vlen=bytes))
        file.attrs["list"] = [b"a", b"bc"]
        assert file.attrs["list"].dtype == "S2"
        file["x"] = [1, 2]
        assert file["x"].value.tolist() == [1, 2]
        file.flush()
        assert file.fid.get_file_image().startswith(b"\x89HDF")
    path.chmod(0o600)
    with h5py.File(path) as file:
        assert file.mode == "r+"
        assert [file.attrs[k] for k in ("bytes", "text", "fixed")] == [b"{}", "{}", b"{}"]
        assert file.attrs["many"].tolist() == [b"a", b"bc"]


def test_installing_imports_nothing_that_the_program_did_not():
    loaded = in_another_python(
        "import sys; before = set(sys.modules); import retrograd; retrograd.install();"
        "print(*sorted(set(sys.modules) - before))",
        "-I",
    )
    light = ("retrograd", "importlib", "_", "warnings", "errno")
    assert [name for name in loaded.split() if not name.startswith(light)] == []


def test_importlib_has_its_parts():
    program = "import importlib, retrograd; retrograd.install(); print(importlib.util, hasattr(importlib, 'nothing'))"
    assert in_another_python(program, "-I") == "<module 'importlib.util' (frozen)> False\n"


def test_uninstalling_takes_the_names_away():
    left = in_another_python(
        "import numpy as np, time, retrograd; retrograd.install(); retrograd.uninstall();"
        "print(hasattr(np, 'float'), hasattr(time, 'clock'), hasattr(np.ones(1), 'ptp'));"
        "print(np.get_printoptions()['legacy'])"
    )
    assert left == "False False False\nFalse\n"


def test_no_warning_is_given(recwarn):
    warnings.simplefilter("always")
    retrograd.uninstall()
    retrograd.install()
    assert not recwarn.list


def test_modules_of_an_old_protoc_give_their_messages():
    from google.protobuf.descriptor_pb2 import FileDescriptorProto

    file = FileDescriptorProto(name="old_form.proto", package="old_form", syntax="proto3")
    file.dependency.append("tensorflow/core/framework/tensor_shape.proto")
    message = file.message_type.add(name="Pair")
    message.field.add(name="first", number=1, type=5, label=1)
    message.field.add(name="second", number=2, type=11, label=1, type_name=".tensorflow.TensorShapeProto")
    message.field.add(name="third", number=3, type=11, label=1, type_name=".old_form.Pair")
    program = f"""
from google.protobuf import descriptor as d, message as m, reflection as r
from tensorflow.core.framework import tensor_shape_pb2
FILE = d.FileDescriptor(name="old_form.proto", package="old_form", serialized_pb={file.SerializeToString()!r})
FIELD = d.FieldDescriptor(name="first", full_name="old_form.Pair.first", index=0, number=1, type=5, file=FILE)
PAIR = d.Descriptor(name="Pair", full_name="old_form.Pair", file=FILE, fields=[FIELD], oneofs=[])
PAIR.fields_by_name["first"].containing_type = None
FILE.message_types_by_name["Pair"] = PAIR
Pair = r.GeneratedProtocolMessageType("Pair", (m.Message,), {{"DESCRIPTOR": PAIR, "__module__": "old"}})
print(Pair(first=3).first, Pair(second=tensor_shape_pb2.TensorShapeProto(unknown_rank=True)).second.unknown_rank)
"""
    assert in_another_python("import retrograd; retrograd.install()\n" + program) == "3 True\n"


def test_the_inside_of_protocol_buffers_is_imported_first():
    program = "import google.protobuf.internal.decoder as d; print(d.__name__[-7:])"
    assert in_another_python("import retrograd; retrograd.install()\n" + program) == "decoder\n"
