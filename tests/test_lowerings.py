"""Kernels compiled by XLA: each form that they may take gives what the NumPy kernel gives."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from retrograd import tf
from retrograd.graph.definition import REGISTRY, import_every_op
from retrograd.ops import (  # noqa: F401
    arrays,
    convolution,
    convolving,
    depthwise,
    matrices,
    max_pooling,
    onednn,
    onednn_forms,
    onednn_library,
    pooling,
    ranking,
    reductions,
    scatters,
    training,
)
from retrograd.ops.forms import of_xla_alone
from retrograd.ops.windows import Windows
from retrograd.run.lowering import GivenValue
from retrograd.run.store import Cell, Store

RANDOM = np.random.RandomState(0)


def normal(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return RANDOM.standard_normal(shape).astype(dtype)


def agree(
    kernel: Callable[..., Any], *inputs: Any, rounding: float = 1e-4, is_mapped: bool = False, **attrs: Any
) -> None:
    """``kernel`` with NumPy and compiled, perhaps under ``vmap``; inputs that are lists shape the result."""
    want = kernel(np, *map(np.asarray, inputs), **attrs)
    traced = [x for x in inputs if not isinstance(x, list)]

    def compiled(*traced: Any) -> Any:
        rest = iter(traced)
        return kernel(jnp, *(np.asarray(x) if isinstance(x, list) else next(rest) for x in inputs), **attrs)

    with jax.enable_x64(True):
        if is_mapped:
            got = np.asarray(jax.jit(jax.vmap(compiled))(*(x[None] for x in traced)))[0]
        else:
            got = np.asarray(jax.jit(compiled)(*traced))
    assert got.dtype == want.dtype
    np.testing.assert_allclose(np.float64(got), np.float64(want), rtol=rounding, atol=rounding * 10)


GEOMETRIES = {  # sizes, window, channels, filters, strides, padding, dilations
    "plain": ((6, 7), (3, 3), 3, 4, (1, 1), "SAME", (1, 1)),
    "one by one": ((5, 4), (1, 1), 8, 16, (1, 1), "VALID", (1, 1)),
    "strides": ((9, 8), (3, 2), 3, 4, (2, 3), "SAME", (1, 1)),
    "strides over a remainder": ((10, 11), (3, 3), 2, 3, (2, 3), "VALID", (1, 1)),
    "strides past the window": ((7, 8), (1, 2), 2, 3, (3, 3), "SAME", (1, 1)),
    "strides past the image": ((2, 3), (3, 3), 2, 3, (4, 4), "SAME", (1, 1)),
    "dilations": ((9, 8), (3, 2), 3, 4, (1, 1), "SAME", (2, 3)),
    "strides and dilations": ((9, 8), (3, 2), 3, 4, (2, 1), "SAME", (2, 1)),
    "explicit": ((6, 7), (3, 3), 3, 4, (1, 2), (2, 1, 0, 3), (1, 1)),
    "padding wider than the window": ((5, 5), (2, 2), 3, 4, (1, 1), (3, 4, 2, 2), (1, 1)),
    "even window": ((8, 8), (4, 2), 8, 8, (2, 2), "SAME", (1, 1)),
    "nothing": ((4, 4), (3, 3), 3, 0, (1, 1), "SAME", (1, 1)),
}


def attrs_of(strides: Any, padding: Any, dilations: Any, data_format: str) -> dict[str, Any]:
    is_explicit = not isinstance(padding, str)
    pairs = [0, 0, *padding, 0, 0] if is_explicit else []
    if data_format == "NCHW":
        return {
            "strides": [1, 1, *strides], "dilations": [1, 1, *dilations], "data_format": data_format,
            "padding": "EXPLICIT" if is_explicit else padding,
            "explicit_paddings": [0, 0, 0, 0, *padding] if is_explicit else [],
        }  # fmt: skip
    return {
        "strides": [1, *strides, 1], "dilations": [1, *dilations, 1], "data_format": data_format,
        "padding": "EXPLICIT" if is_explicit else padding, "explicit_paddings": pairs,
    }  # fmt: skip


@pytest.fixture(autouse=True)
def _small_ones_too(monkeypatch: Any) -> None:
    """What would be left to XLA because it is small goes to the library, too."""
    monkeypatch.setattr(onednn_forms, "_LEAST", dict.fromkeys(onednn_forms._LEAST, 0))


def check_convolution(geometry: Any, data_format: str = "NHWC", dtype: Any = np.float32, groups: int = 1) -> None:
    sizes, window, channels, filters, *rest = geometry
    attrs = attrs_of(*rest, data_format)
    shape = [2, *sizes, channels] if data_format == "NHWC" else [2, channels, *sizes]
    rounding = 2e-2 if np.dtype(dtype).itemsize == 2 else 1e-4
    x, w = normal(*shape, dtype=dtype), normal(*window, channels // groups, filters, dtype=dtype)
    agree(convolution.convolve, x, w, rounding=rounding, **attrs)
    dy = normal(*convolution.convolve(np, x, w, **attrs).shape, dtype=dtype)
    agree(convolution._input_gradient, shape, w, dy, rounding=rounding, **attrs)
    agree(convolution._filter_gradient, x, list(w.shape), dy, rounding=rounding, **attrs)


FORMS = {"library": (), "jaxlib": (onednn_forms,), "XLA": (onednn_forms, onednn)}  # by what they go without


def take_away(form: str, monkeypatch: Any) -> None:
    if onednn_forms in FORMS[form]:
        monkeypatch.setattr(onednn_forms, "_target", lambda *_: None)
    if onednn in FORMS[form]:
        monkeypatch.setattr(onednn, "works", lambda: False)


@pytest.mark.parametrize("name", GEOMETRIES)
def test_convolutions(name: str) -> None:
    check_convolution(GEOMETRIES[name])


@pytest.mark.parametrize(
    ("form", "name"),
    [("jaxlib", n) for n in ("strides", "strides past the window", "dilations", "explicit")] + [("XLA", "strides")],
)
def test_other_forms_of_convolutions(name: str, form: str, monkeypatch: Any) -> None:
    take_away(form, monkeypatch)
    check_convolution(GEOMETRIES[name])


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_convolutions_of_other_dtypes(dtype: Any) -> None:
    check_convolution(GEOMETRIES["plain"], dtype=dtype)


def test_convolutions_of_planes_and_groups() -> None:
    check_convolution(GEOMETRIES["strides"], "NCHW")
    check_convolution(GEOMETRIES["even window"], groups=4)


def test_mapped_convolutions_are_those_of_xla() -> None:
    attrs = attrs_of((2, 1), "SAME", (1, 1), "NHWC")
    x, w = normal(2, 5, 4, 3), normal(2, 2, 3, 4)
    agree(convolution.convolve, x, w, is_mapped=True, **attrs)
    dy = normal(2, 3, 4, 4)
    agree(convolution._input_gradient, [2, 5, 4, 3], w, dy, is_mapped=True, **attrs)


def test_convolution_of_volumes() -> None:
    x, w = normal(2, 5, 4, 6, 3), normal(2, 3, 2, 3, 4)
    attrs = {"strides": [1, 1, 2, 2, 1], "padding": "SAME", "data_format": "NDHWC", "dilations": [1] * 5}
    attrs["explicit_paddings"] = ()
    agree(convolution.convolve, x, w, **attrs)
    dy = normal(*convolution.convolve(np, x, w, **attrs).shape)
    agree(convolution._input_gradient, list(x.shape), w, dy, **attrs)
    agree(convolution._filter_gradient, x, list(w.shape), dy, **attrs)


@pytest.mark.parametrize(
    ("form", "name", "many"),
    [
        ("library", "plain", 1),
        ("library", "strides", 2),
        ("library", "dilations", 1),
        ("jaxlib", "strides", 2),
        ("XLA", "strides", 2),
    ],
)
def test_depthwise_convolutions(name: str, many: int, form: str, monkeypatch: Any) -> None:
    take_away(form, monkeypatch)
    sizes, window, channels, _, *rest = GEOMETRIES[name]
    attrs = attrs_of(*rest, "NHWC")
    del attrs["explicit_paddings"]
    x, w = normal(2, *sizes, channels), normal(*window, channels, many)
    agree(depthwise._filter, x, w, **attrs)
    dy = normal(*depthwise._filter(np, x, w, **attrs).shape)
    agree(depthwise._input_gradient, list(x.shape), w, dy, **attrs)
    agree(depthwise._filter_gradient, x, list(w.shape), dy, **attrs)


@pytest.mark.skipif(onednn_library.library() is None, reason="onednn-cpu-gomp is not installed, or not for this system")
def test_filter_gradients_of_several_threads() -> None:
    """Calls at the same time have memory of their own, and no lock of Python's."""
    attrs = attrs_of((1, 1), "SAME", (1, 1), "NHWC")
    xs, dys = normal(6, 8, 12, 12, 16), normal(6, 8, 12, 12, 16)

    @jax.jit
    def compiled(x: Any, dy: Any) -> Any:
        return convolution._filter_gradient(jnp, x, np.array([3, 3, 16, 16]), dy, **attrs)

    wanted = [np.asarray(compiled(x, dy)) for x, dy in zip(xs, dys, strict=True)]
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda i: np.asarray(compiled(xs[i % 6], dys[i % 6])), range(24)))
    for i, dw in enumerate(found):
        np.testing.assert_array_equal(dw, wanted[i % 6])
    want = convolution._filter_gradient(np, xs[0], np.array([3, 3, 16, 16]), dys[0], **attrs)
    np.testing.assert_allclose(wanted[0], want, rtol=1e-4, atol=1e-3)


def test_onednn_works_here() -> None:
    """Where it is known to be part of jaxlib; else the forms above are two names of one."""
    from retrograd.ops.jax_start import IS_TESTED

    assert onednn.works() or not IS_TESTED


# -- changes of rows ---------------------------------------------------------------------------

ROWS = np.array([1, 4, 1, 9, 1], np.int32)  # a row that comes again sees what came before


def check_changes(op: str, *inputs: Any) -> None:
    """The kernel changes variables of (10, 3) in the same way in place and compiled."""
    definition = REGISTRY[op]
    attrs = {key: definition.attrs[key] for key in definition.kernel_attrs}
    count = len(definition.inputs) - len(inputs)
    values = [np.abs(normal(10, 3)) + np.float32(0.5) for _ in range(count)]
    cells = [Cell(Store(), "v", (10, 3)) for _ in values]
    for cell, value in zip(cells, values, strict=True):
        cell.value = value.copy()
    definition.kernel(np, *cells, *inputs, **attrs)

    def changed(values: Any, inputs: Any) -> list[Any]:
        given = [GivenValue(v) for v in values]
        definition.kernel(jnp, *given, *inputs, **attrs)
        return [g.value for g in given]

    with jax.enable_x64(True):
        for cell, found in zip(cells, jax.jit(changed)(values, inputs), strict=True):
            assert found.dtype == cell.value.dtype
            np.testing.assert_allclose(found, cell.value, rtol=1e-5, atol=1e-6)


import_every_op()
SPARSE = [name for name in REGISTRY if name.startswith("SparseApply")]


@pytest.mark.parametrize("op", SPARSE)
def test_sparse_steps_of_optimizers(op: str) -> None:
    given = {"grad": normal(5, 3), "indices": ROWS, "global_step": np.array(3)}
    others = [a.name for a in REGISTRY[op].inputs if not a.is_ref]
    with np.errstate(invalid="ignore"):  # slots of any values have no root
        check_changes(op, *(given.get(name, np.array(0.3, np.float32)) for name in others))


@pytest.mark.parametrize("suffix", ["Update", "Add", "Sub", "Mul", "Div", "Min", "Max"])
def test_scattered_rows(suffix: str) -> None:
    check_changes(f"Scatter{suffix}", ROWS.reshape(1, 5), normal(1, 5, 3))
    check_changes(f"ResourceScatter{suffix}", ROWS, np.array(0.5, np.float32))


@pytest.mark.parametrize("suffix", ["Update", "Add", "Sub"])
def test_scattered_elements(suffix: str) -> None:
    check_changes(f"ScatterNd{suffix}", ROWS.reshape(5, 1), normal(5, 3))
    check_changes(f"ResourceScatterNd{suffix}", np.array([[1, 2], [4, 0], [1, 2]]), normal(3))


def test_a_change_of_rows_copies_no_table() -> None:
    """The cost follows the rows: the compiled step holds no second table beside the donated one."""
    definition, table = REGISTRY["SparseApplyMomentum"], jax.ShapeDtypeStruct((5000, 8), np.float32)

    def changed(values: Any, grad: Any, rows: Any) -> list[Any]:
        given = [GivenValue(v) for v in values]
        rate = np.float32(0.1)
        definition.kernel(jnp, *given, rate, grad, rows, rate, use_nesterov=False)
        return [g.value for g in given]

    shapes = [table, table], jax.ShapeDtypeStruct((5, 8), np.float32), jax.ShapeDtypeStruct((5,), np.int32)
    memory = jax.jit(changed, donate_argnums=0).lower(*shapes).compile().memory_analysis()
    assert memory.temp_size_in_bytes < 5000 * 8 * 4


# -- reductions, reshapes ----------------------------------------------------------------------

REDUCED = {
    "images": ((6, 20, 14, 9), (0, 1, 2)),
    "pixels": ((5, 13, 13, 7), [1, 2]),
    "rows": ((4999, 3), [0]),  # a prime number of them
    "all": ((30, 20, 4, 5), (0, 1, 2, 3)),
    "all of a prime number": ((7919,), [0]),
    "a column": ((6000, 1), [-2]),
    "apart": ((20, 5, 30, 4), (0, 2)),
    "the last and another": ((20, 5, 30, 4), (1, 3)),
    "the last": ((70, 83), [-1]),
    "the last two": ((70, 2, 32), [1, 2]),
    "few": ((4, 5), [0]),
}


@pytest.mark.parametrize("keep_dims", [False, True])
@pytest.mark.parametrize("name", REDUCED)
def test_reductions_in_stages(name: str, keep_dims: bool) -> None:
    shape, axes = REDUCED[name]
    x = normal(*shape)
    for kernel in (reductions._sum, reductions._mean):
        agree(kernel, x, list(axes), rounding=1e-5, keep_dims=keep_dims)
    agree(reductions._sum, x, list(axes), rounding=1e-5, is_mapped=True, keep_dims=keep_dims)
    agree(reductions._prod, 1 + x / 1000, list(axes), rounding=1e-4, keep_dims=keep_dims)
    x.ravel()[::5] = np.nan
    for kernel in (reductions._max, reductions._min):
        agree(kernel, x, list(axes), rounding=0, keep_dims=keep_dims)


def test_a_flattened_array_is_computed_by_itself() -> None:
    x = normal(9, 20, 20, 16)

    def flat(xp: Any, x: Any, shape: Any) -> Any:
        return arrays._reshape(xp, x * x.dtype.type(2), shape)

    agree(flat, x, [9, 6400])
    agree(flat, x, [9, -1], is_mapped=True)
    assert "retrograd_apart" in jax.jit(lambda x: flat(jnp, x, np.array([9, -1]))).lower(x).as_text()
    with of_xla_alone():
        np.testing.assert_array_equal(jax.grad(lambda x: flat(jnp, x, np.array([9, -1])).sum())(x), np.full(x.shape, 2))


# -- pooling -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "ksize", "strides", "padding"),
    [
        ((6, 8), (2, 2), (2, 2), "SAME"), ((7, 5), (2, 2), (2, 2), "SAME"), ((7, 8), (2, 3), (2, 3), "VALID"),
        ((7, 5), (2, 3), (3, 2), "VALID"),
        ((7, 6), (3, 3), (2, 2), "SAME"), ((6, 6), (3, 2), (1, 1), "VALID"), ((7, 6), (2, 1), (3, 2), "SAME"),
        ((9, 9), (9, 9), (9, 9), "VALID"), ((9, 4), (9, 1), (1, 1), "VALID"),
    ],
)  # fmt: skip
def test_gradients_of_pooling(sizes: Any, ksize: Any, strides: Any, padding: str) -> None:
    attrs: dict[str, Any] = {"ksize": [1, *ksize, 1], "strides": [1, *strides, 1], "padding": padding}
    attrs["data_format"] = "NHWC"
    x = RANDOM.randint(0, 3, (2, *sizes, 3)).astype(np.float32)  # many are equal: the first takes the gradient
    x[0, 0, 0, 0] = np.nan
    y = max_pooling._max(np, x, **attrs)
    agree(max_pooling._max, x, **attrs)
    agree(max_pooling._max_gradient, x, y, normal(*y.shape), **attrs)
    agree(pooling._mean_gradient, list(x.shape), normal(*y.shape), **attrs)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.int32, np.uint8])
@pytest.mark.parametrize("count", [1, 5, 12])
def test_the_largest_of_ties_zeros_and_nans(dtype: Any, count: int) -> None:
    x = np.random.RandomState(0).randint(0, 4, (5, 12)).astype(dtype)
    if x.dtype.kind == "f":
        x[0, :8] = [0.0, -0.0, np.nan, np.inf, -np.inf, -np.nan, -0.0, 0.0]
    for i in range(2):  # the values, and where they stand
        agree(lambda xp, x, i=i: ranking._top_k(xp, x, np.int32(count))[i], x, rounding=0)


@pytest.mark.parametrize("name", ["ArgMax", "ArgMin"])
@pytest.mark.parametrize("shape", [(5, 200), (200, 5), (3, 7), (43, 101)])
@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_places_of_extremes(name: str, shape: tuple[int, int], dtype: Any) -> None:
    x = np.random.RandomState(0).randint(-4, 4, shape).astype(dtype)
    if x.dtype.kind == "f":
        x[0], x[1, 1:3] = np.nan, np.nan
    kernel: Any = REGISTRY[name].kernel
    for axis in (0, -1):
        attrs = {"output_type": tf.int64}
        agree(lambda xp, x, axis=axis, attrs=attrs: kernel(xp, x, np.int32(axis), **attrs), x, rounding=0)


@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_circular_functions_of_many(name: str) -> None:
    kernel = REGISTRY[name.capitalize()].kernel
    assert kernel is not None
    near = np.concatenate([np.linspace(-(2.0**22), 2.0**22, 5001), np.arange(-500, 500) * np.pi / 2]).astype("f")
    for x in (near, np.concatenate([near, np.array([1e8, np.inf, np.nan], "f")])):
        compiled = jax.jit(lambda x: kernel(jnp, x))
        with np.errstate(invalid="ignore"):
            wanted = getattr(np, name)(x.astype(np.float64))
        np.testing.assert_allclose(compiled(x), wanted, rtol=5e-7)
    slope = {"sin": np.cos, "cos": lambda x: -np.sin(x), "tan": lambda x: 1 / np.cos(x) ** 2}[name]
    found = jax.grad(lambda x: kernel(jnp, x).sum())(near)
    np.testing.assert_allclose(found, slope(near.astype(np.float64)), rtol=2e-6, atol=1e-7)


@pytest.mark.parametrize(("a", "b"), [((20, 3, 4), (20, 4, 5)), ((4, 5, 2, 1), (5, 1, 7)), ((17, 16, 16), (1, 16, 16))])
def test_products_of_many_tiny_matrices(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    kernel = REGISTRY["BatchMatMulV2"].kernel
    assert kernel is not None
    random = np.random.RandomState(0)
    x, y = random.standard_normal(a).astype("f"), random.standard_normal(b).astype("f")
    lowered = jax.jit(lambda x, y: kernel(jnp, x, y, adj_x=False, adj_y=False))
    np.testing.assert_allclose(lowered(x, y), np.matmul(x, y), rtol=1e-5, atol=1e-5)
    assert "dot" not in lowered.lower(x, y).as_text()


@pytest.mark.parametrize("columns", [1, 3, 16, 17])
@pytest.mark.parametrize("transpose_b", [True, False])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32])
def test_narrow_products(columns: int, transpose_b: bool, dtype: Any) -> None:
    kernel = REGISTRY["MatMul"].kernel
    assert kernel is not None
    a, b = (10 * normal(7, 40)).astype(dtype), (10 * normal(7, columns)).astype(dtype)
    given = a, b.T.copy() if transpose_b else b
    attrs = {"transpose_a": True, "transpose_b": transpose_b}
    agree(kernel, *given, **attrs)
    agree(kernel, *given, is_mapped=True, **attrs)
    if dtype == np.float32:
        da, db = jax.grad(lambda a, b: kernel(jnp, a, b, **attrs).sum(), (0, 1))(*given)
        np.testing.assert_allclose(da, np.broadcast_to(b.sum(1)[:, None], a.shape), rtol=1e-4, atol=1e-4)
        wide = np.broadcast_to(a.sum(1)[:, None], b.shape)
        np.testing.assert_allclose(db, wide.T if transpose_b else wide, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("strides", [1, 2])
def test_a_gradient_of_a_convolution_in_a_loop_has_its_filter_in_order(strides: int) -> None:
    """XLA goes element by element through one that is turned over within the loop: fifty times as long."""
    windows = Windows.over([8, 8], [3, 3], [strides] * 2, "SAME", [1, 1])

    def gradients(dys: Any, w: Any) -> Any:
        def step(total: Any, dy: Any) -> Any:
            dx = convolving._xla_input_gradient(dy + total, w, windows, (2, 8, 8, 3))
            return total + dx[0, 0, 0, 0], dx

        return jax.lax.scan(step, jnp.float32(0), dys)[1]

    dys, w = normal(4, 2, *windows.counts, 5), normal(3, 3, 3, 5)
    compiled = jax.jit(gradients).lower(dys, w).compile()
    if jax.default_backend() == "cpu":
        assert "01io" in compiled.as_text()
        assert "01oi" not in compiled.as_text()
    first = convolving.input_gradient(np, dys[0], w, windows, (2, 8, 8, 3))
    np.testing.assert_allclose(compiled(dys, w)[0], first, rtol=1e-4, atol=1e-4)
