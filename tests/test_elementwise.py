"""Elementwise ops and their gradients against TensorFlow 1.15.5: nodes and values."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.grad.gradients import gradients
from retrograd.graph.errors import OpError
from retrograd.graph.graph import Graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    activations,
    arithmetic,
    bitwise,
    casts,
    comparison,
    complex_numbers,
    constants,
    exponentials,
    operators,
    powers,
    rounding,
    special,
    sums,
    trigonometry,
)
from retrograd.run.session import Session

RECORDED = json.loads((Path(__file__).parent / "golden" / "elementwise.json").read_text())
ROWS = RECORDED["cases"]
SHAPES: dict[str, Any] = {
    "known": lambda i, n: [n],
    "unknown": lambda i, n: None,
    "broadcast": lambda i, n: [[3, 1, 2], [2, 1], [3, 2, 2]][i],
}
MODULES = (
    arithmetic, powers, exponentials, trigonometry, rounding, comparison, bitwise, complex_numbers,
    special, sums, casts,
    activations,
)  # fmt: skip
RECORDS = {
    "tanh_grad": trigonometry.TANH_GRAD, "sigmoid_grad": exponentials.SIGMOID_GRAD,
    "sqrt_grad": powers.SQRT_GRAD,
    "rsqrt_grad": powers.RSQRT_GRAD, "reciprocal_grad": powers.RECIPROCAL_GRAD, "inv_grad": powers.INV_GRAD,
    "igamma_grad_a": special.IGAMMA_GRAD_A, "inv": powers.INV, "raw_div": arithmetic.DIV, "raw_mod": arithmetic.MOD,
}  # fmt: skip


class Names(dict):
    """What the recorded expressions may call."""

    def __missing__(self, name: str) -> Any:
        if name in RECORDS:
            from retrograd.graph.apply import apply

            return lambda *inputs: apply(RECORDS[name], *inputs)
        for module in MODULES:
            for spelling in (f"{name}_", name):
                if spelling in vars(module):
                    return vars(module)[spelling]
        raise NameError(name)


def seeds(ys: list[Any]) -> list[Any]:
    """The grad_ys that complex results need."""
    return [constants.ones_like(y) * (1 + 0.5j) if y.dtype.is_complex else None for y in ys]


def built(row: Any, dtype: str, form: str, depth: bool | None) -> tuple[Graph, dict[str, Any], dict[str, Any]]:
    graph = Graph()
    result: dict[str, Any] = {}
    with graph.as_default():
        tensors = {
            k: constants.placeholder(dtype, SHAPES[form](i, len(v)), name=k)
            for i, (k, v) in enumerate(row["inputs"].items())
        }
        try:
            y = eval(row["expression"], {}, Names(tensors))
            result["y"] = [y]
            if depth is not None and y.dtype != "bool":
                result["dx"] = gradients(y, list(tensors.values()), seeds([y]))
                dx = [d for d in result["dx"] if d is not None]
                if depth and dx:
                    result["ddx"] = gradients(dx, list(tensors.values()), seeds(dx))
        except (LookupError, TypeError, ValueError) as error:
            result["error"] = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return graph, tensors, result


def shape_text(dims: Any) -> str:
    return "?" if dims is None else "x".join("?" if n is None else str(n) for n in dims) or "."


def node_line(op: Any) -> str:
    inputs = [t.name.removesuffix(":0") for t in op.inputs]
    waits = sorted("^" + c.name for c in op.control_inputs)
    outputs = [f"{t.dtype.name} {shape_text(t.dims)}" for t in op.outputs]
    value = f" = {json.dumps(written(op.attrs['value']))}" if op.type == "Const" else ""
    return f"{op.name} {op.type}({', '.join(inputs + waits)}) -> {', '.join(outputs)}{value}"


def written(value: Any) -> Any:
    value = np.asarray(value)
    if value.dtype.name == "bfloat16":
        value = value.astype(np.float32)
    return [plain(v) for v in value.ravel().tolist()] if value.ndim else plain(value.item())


def plain(v: Any) -> Any:
    if isinstance(v, complex):
        return [plain(v.real), plain(v.imag)]
    if isinstance(v, bytes):
        return v.decode()
    return repr(v) if isinstance(v, float) and not math.isfinite(v) else v


# Where TensorFlow has no derivative and an error in its place, and retrograd has one: rows of docs/DIFFERENCES.md.
DIFFERENTIATED = ("No gradient defined for operation", "Incompatible shapes between op input and calculated")


def differentiated(result: Any, recorded: Any) -> bool:
    """Whether retrograd goes on where TensorFlow has refused to differentiate."""
    return "error" not in result and any(words in recorded.get("error", "") for words in DIFFERENTIATED)


def label(row: Any) -> str:
    return f"{row['name']}-{next(iter(row['values']))}"


@pytest.mark.parametrize("row", ROWS, ids=label)
def test_nodes(row: Any) -> None:
    for form, recorded in row["nodes"].items():
        graph, _, result = built(row, recorded["dtype"], form, recorded["depth"])
        lines = [node_line(op) for op in graph.get_operations()]
        if differentiated(result, recorded):
            lines = lines[: len(recorded["lines"])]
        else:
            assert result.get("error") == recorded.get("error"), form
        assert lines == recorded["lines"], form


def array(points: Any, dtype: str) -> np.ndarray:
    if dtype.startswith("complex") and isinstance(points[0], list):
        points = [complex(*p) for p in points]
    points = [float(p) if isinstance(p, str) else p for p in points]
    if dtype[0] == "u":
        points = [max(p, 0) for p in points]
    return np.array(points).astype(dtype)


def numbers(values: Any) -> np.ndarray:
    def number(v: Any) -> Any:
        return complex(*map(float, v)) if isinstance(v, list) and len(v) == 2 else float(v) if isinstance(v, str) else v

    return np.array([number(v) for v in values] if isinstance(values, list) else values)


PRECISION = {"float16": 2e-3, "bfloat16": 1e-2, "float32": 3e-6, "complex64": 1e-5}


def check_close(mine: Any, recorded: Any, dtype: str, order: int) -> None:
    """Derivatives are sums of terms that nearly cancel: each order may lose a digit."""
    precision = PRECISION.get(dtype, 1e-11) * 10**order
    if isinstance(mine, np.ndarray) and mine.ndim == 2 and mine.dtype == np.int64:  # indices
        mine = mine.ravel()
    theirs = numbers(recorded)
    mine = np.asarray(mine).astype(theirs.dtype) if theirs.dtype.kind != "b" else np.asarray(mine)
    assert mine.size == theirs.size
    np.testing.assert_allclose(mine.ravel(), theirs.ravel(), rtol=precision, atol=precision * 0.1)


@pytest.mark.parametrize("row", ROWS, ids=label)
def test_values(row: Any) -> None:
    for dtype, recorded in row["values"].items():
        depth = row["second"] if dtype in ("float32", "float64", "complex64", "complex128") else None
        graph, tensors, result = built(row, dtype, "known", depth)
        feeds = {tensors[k]: array(v, dtype) for k, v in row["inputs"].items()}
        with Session(graph=graph) as sess:
            for order, key in enumerate(("y", "dx", "ddx")):
                expected = recorded.get(key)
                if expected is None or isinstance(expected, str):
                    continue
                for tensor, value in zip(result[key], expected, strict=True):
                    assert (tensor is None) == (value is None), (dtype, key)
                    if tensor is not None:
                        got = sess.run(tensor, feeds)
                        assert got.dtype == tensor.dtype.np
                        try:
                            check_close(got, value, tensor.dtype.name, order)
                        except AssertionError as error:
                            raise AssertionError(f"{dtype} {key}: {error}") from None
        assert differentiated(result, recorded) or result.get("error") == recorded.get("error")


def outcome(expression: str) -> tuple[Any, str | None, str | None]:
    """The value of an expression with the name of its dtype, or the class and first line of its error."""
    with Graph().as_default() as graph:
        names = Names(nan=math.nan, inf=math.inf)
        names["A"] = lambda v, d="float32": constants.placeholder_with_default(constants.constant(v, d), [None])
        try:
            y = eval(expression, {}, names)
            if not isinstance(y, Tensor):
                return y, None, None
            with Session(graph=graph) as sess:
                return sess.run(y), y.dtype.name, None
        except (OpError, TypeError, ValueError) as error:
            text = error.message if isinstance(error, OpError) else str(error)
            return None, None, f"{type(error).__name__}: {text.splitlines()[0]}"


@pytest.mark.parametrize("expression", RECORDED["edges"])
def test_edges(expression: str) -> None:
    recorded = RECORDED["edges"][expression]
    got, dtype, error = outcome(expression)
    assert error == recorded.get("error")
    assert dtype == recorded.get("dtype")
    if dtype in (None, "string"):
        assert (got if dtype is None else written(got)) == recorded.get("value")
    else:
        check_close(got, recorded["value"], dtype, 0)


def test_copied_operators() -> None:
    class Holder:
        def __init__(self, tensor: Tensor) -> None:
            self.tensor = tensor

    operators.copy_to(Holder, lambda holder: holder.tensor)
    with Graph().as_default():
        holder = Holder(constants.placeholder("float32", [2], name="x"))
        built = [holder + 1, 1 + holder, -holder, abs(holder), holder < 1, holder**2, 2 / holder]
        assert [t.op.name for t in built[:2]] == ["add", "add_1"]
        types = ["AddV2", "AddV2", "Neg", "Abs", "Less", "Pow", "RealDiv"]
        assert [t.op.type for t in built] == types


_LARGE = [(40, 50, 3), (2, 30, 41, 3), (3001, 2), (1, 5000, 1), (70, 80), (2, 1500, 2)]
_SHORT = [(), (1,), (1, 1), (3,), (2,), (1, 3), (1, 1, 2), (80,)]


@pytest.mark.parametrize(("shape", "small"), [(x, y) for x in _LARGE for y in _SHORT if not y or y[-1] in (1, x[-1])])
@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "floordiv"])
def test_a_short_vector_goes_with_each_of_a_large_array(shape, small, name):
    random = np.random.RandomState(0)
    x, y = (random.uniform(1, 9, s).astype(np.float32) for s in (shape, small))
    plain = {"floordiv": np.floor_divide}.get(name) or getattr(np, name)
    for first, second in ((x, y), (y, x), (x.swapaxes(0, -2), y)):
        with tf.Session() as session:
            found = session.run(getattr(tf, name)(tf.placeholder_with_default(first, None), second))
        np.testing.assert_array_equal(found, plain(first, second))


@pytest.mark.parametrize("shape", [(4, 5, 3), (2, 4, 5, 1), (3, 4), (5, 9, 20)])
def test_images_are_mirrored(shape):
    x = np.arange(np.prod(shape)).reshape(shape).astype(np.uint8)
    with tf.Session() as session:
        for axes in ([-2], [0], [-1], [-1, -2]):
            np.testing.assert_array_equal(session.run(tf.reverse(x, axes)), np.flip(x, axes))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int32])
@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_of_two_the_first_is_kept_unless_the_second_wins(name, dtype):
    random = np.random.RandomState(0)
    x, y = (random.randint(-3, 4, 3000).astype(dtype) for _ in range(2))
    if dtype is not np.int32:
        x[::7], y[::7], x[1::7], y[2::7] = -0.0, 0.0, np.nan, np.inf
    with tf.Session() as session:
        for second in (y, np.where(np.arange(3000) == 77, np.nan, y) if dtype is not np.int32 else y, y[:1], y[:0]):
            first = x[: len(second)] if len(second) in (0, 3000) else x
            wins = first < second if name == "maximum" else second < first
            found = session.run(getattr(tf, name)(tf.placeholder_with_default(first, None), second.astype(dtype)))
            wanted = np.where(wins, second, first).astype(dtype)
            np.testing.assert_array_equal(found, wanted)
            if dtype in (np.float32, np.float64):
                np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))
