"""Convolutions of NumPy's arrays by oneDNN: what NumPy itself gives, from any thread, and not after a fork."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from retrograd.ops import (
    convolving,
    depthwise,
    max_pooling,
    normalization,
    onednn_arrays,
    onednn_convolutions,
    onednn_library,
)
from retrograd.ops.windows import Windows

pytestmark = pytest.mark.skipif(
    onednn_library.library() is None, reason="onednn-cpu-gomp is not installed, or not for this system"
)

# sides, window, strides, padding, dilations, groups
GEOMETRIES: dict[str, Any] = {
    "plain": ([9, 8], [3, 3], [1, 1], "SAME", [1, 1], 1),
    "strides": ([9, 8], [3, 2], [2, 1], "VALID", [1, 1], 1),
    "dilations": ([9, 8], [3, 2], [1, 1], "SAME", [2, 1], 1),
    "groups": ([9, 8], [3, 3], [2, 2], "SAME", [1, 1], 2),
    "volumes": ([5, 6, 7], [3, 2, 1], [1, 2, 1], "SAME", [1, 1, 1], 1),
}


@pytest.fixture(autouse=True)
def _small_ones_too(monkeypatch: Any) -> None:
    monkeypatch.setattr(onednn_arrays, "_LEAST_MULTIPLICATIONS", 0)
    monkeypatch.setattr(onednn_arrays, "_LEAST_ELEMENTS", 0)


def arrays(name: str) -> tuple[Any, Any, Any, Windows]:
    """x, w, dy and the windows."""
    sides, window, strides, padding, dilations, groups = GEOMETRIES[name]
    windows = Windows.over(sides, window, strides, padding, dilations, [])
    random = np.random.RandomState(0)
    shapes = ((2, *sides, 4), (*window, 4 // groups, 6), (2, *windows.counts, 6))
    x, w, dy = (random.standard_normal(s).astype(np.float32) for s in shapes)
    return x, w, dy, windows


def results(x: Any, w: Any, dy: Any, windows: Windows) -> list[Any]:
    """The convolution and its gradients."""
    return [
        convolving.convolved(np, x, w, windows),
        convolving.input_gradient(np, dy, w, windows, x.shape),
        convolving.filter_gradient(np, x, dy, windows, w.shape),
    ]


def convolved_by_library(x: Any, w: Any, windows: Windows) -> Any:
    return onednn_arrays.convolved(onednn_convolutions.forward_problem(x, w, windows), x, w)


@pytest.mark.parametrize("name", GEOMETRIES)
def test_as_numpy_does(name: str, monkeypatch: Any) -> None:
    x, w, dy, windows = arrays(name)
    assert convolved_by_library(x, w, windows) is not None
    found = results(x, w, dy, windows)
    monkeypatch.setattr(onednn_library, "library", lambda: None)
    for got, want in zip(found, results(x, w, dy, windows), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)


def test_depthwise_as_numpy_does(monkeypatch: Any) -> None:
    random = np.random.RandomState(0)
    x, w = random.standard_normal((2, 9, 8, 4)).astype("f"), random.standard_normal((3, 3, 4, 2)).astype("f")
    attrs = {"strides": [1, 2, 2, 1], "padding": "SAME", "data_format": "NHWC", "dilations": [1, 1, 1, 1]}

    def found() -> list[Any]:
        y = depthwise._filter(np, x, w, **attrs)
        dx = depthwise._input_gradient(np, x.shape, w, y, **attrs)
        return [y, dx, depthwise._filter_gradient(np, x, w.shape, y, **attrs)]

    by_library = found()
    monkeypatch.setattr(onednn_library, "library", lambda: None)
    for got, want in zip(by_library, found(), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)


def test_arrays_in_any_order() -> None:
    x, w, _, windows = arrays("plain")
    want = convolved_by_library(x, w, windows)
    turned = np.asfortranarray(x)[:, ::-1], np.asfortranarray(w)
    np.testing.assert_array_equal(convolved_by_library(turned[0][:, ::-1], turned[1], windows), want)


def test_other_dtypes_and_nothing_at_all_are_numpys() -> None:
    x, w, _, windows = arrays("plain")
    assert convolved_by_library(x.astype(np.float64), w.astype(np.float64), windows) is None
    assert convolved_by_library(x[:0], w, windows) is None
    assert convolving.convolved(np, x[:0], w, windows).shape == (0, 9, 8, 6)


def test_several_threads() -> None:
    x, w, dy, windows = arrays("plain")
    want = results(x, w, dy, windows)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: results(x, w, dy, windows), range(40)):
            for a, b in zip(found, want, strict=True):
                np.testing.assert_array_equal(a, b)


def test_what_is_not_asked_for_again_is_given_back(monkeypatch: Any) -> None:
    gone = []
    monkeypatch.setattr(onednn_library.Calls, "__del__", lambda calls: gone.append(calls), raising=True)
    _, w, _, _ = arrays("plain")
    for n in range(3, 3 + onednn_arrays._MOST_KEPT + 8):
        windows = Windows.over([n, 3], [3, 3], [1, 1], "SAME", [1, 1], [])
        convolved_by_library(np.ones((1, n, 3, 4), np.float32), w, windows)
    assert len(gone) >= 8


@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_process_that_was_forked_goes_without() -> None:
    x, w, _, windows = arrays("plain")
    want = convolved_by_library(x, w, windows)
    pid = os.fork()
    if not pid:
        found = convolved_by_library(x, w, windows) is None
        close = np.allclose(convolving.convolved(np, x, w, windows), want, atol=1e-4)
        os._exit(0 if found and close else 1)
    assert os.waitpid(pid, 0)[1] == 0


def test_a_setting_that_the_library_would_wait_with_for_ever() -> None:
    program = """
import numpy as np, os
from retrograd.ops import convolving
from retrograd.ops.windows import Windows
windows = Windows.over([64, 64], [3, 3], [1, 1], "SAME", [1, 1], [])
for _ in range(3):
    convolving.filter_gradient(np, *np.ones((2, 8, 64, 64, 8), "f"), windows, (3, 3, 8, 8))
print(os.environ["OMP_DYNAMIC"])
"""
    environ = {**os.environ, "OMP_DYNAMIC": "true"}
    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, timeout=60)
    assert done.stdout == "true\n", done.stderr


def both(function: Any, monkeypatch: Any) -> tuple[Any, Any]:
    """What the library gives, and what NumPy does."""
    found = function()
    monkeypatch.setattr(onednn_library, "library", lambda: None)
    return found, function()


@pytest.mark.parametrize("is_training", [True, False])
@pytest.mark.parametrize("channels", [12, 16])
@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
def test_batch_normalization_as_numpy_does(
    is_training: bool, channels: int, data_format: str, monkeypatch: Any
) -> None:
    random = np.random.RandomState(0)
    shape = (3, 5, 4, channels) if data_format == "NHWC" else (3, channels, 5, 4)
    x, dy = (random.standard_normal(shape).astype("f") * 2 + 1 for _ in range(2))
    scale, offset, mean = random.standard_normal((3, channels)).astype("f")
    how = {"epsilon": 1e-3, "data_format": data_format, "is_training": is_training}

    def done() -> list[Any]:
        results = normalization._batch_norm(np, x, scale, offset, mean, mean**2 + 1, **how)
        return [*results, *normalization._batch_norm_grad(np, dy, x, scale, *results[3:5], **how)]

    for got, want in zip(*both(done, monkeypatch), strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)


def test_channels_that_are_taken_one_by_one_are_left_to_numpy() -> None:
    x, scale = np.ones((1, 64, 64, 30), "f"), np.ones(30, "f")
    assert onednn_arrays.normalized(x, scale, scale, [], 1e-3) is None
    assert onednn_arrays.normalization_gradients(x, x, scale, scale, scale, 1e-3, True) is None


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize(("window", "stride"), [(2, 2), (3, 2), (3, 1), (2, 3)])
def test_gradient_of_max_pooling_as_numpy_does(window: int, stride: int, padding: str, monkeypatch: Any) -> None:
    random = np.random.RandomState(0)
    x = random.randint(0, 4, (2, 9, 8, 5)).astype("f")  # many are equal: the first has the gradient
    how = {
        "ksize": [1, window, window, 1],
        "strides": [1, stride, stride, 1],
        "padding": padding,
        "data_format": "NHWC",
    }
    y = max_pooling._max(np, x, **how)
    dy = random.standard_normal(y.shape).astype("f")
    got, want = both(lambda: max_pooling._max_gradient(np, x, y, dy, **how), monkeypatch)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-6)


def test_nan_has_no_gradient_of_max_pooling(monkeypatch: Any) -> None:
    x = np.array([1, np.nan, 2, -np.inf, -np.inf, -np.inf, 4, np.inf], "f").reshape(1, 2, 4, 1)
    how = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID", "data_format": "NHWC"}
    dy = np.ones((1, 1, 2, 1), "f")
    got, want = both(lambda: max_pooling._max_gradient(np, x, None, dy, **how), monkeypatch)
    np.testing.assert_array_equal(got, want)
