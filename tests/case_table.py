"""The case table's form: one row per op, and what each row is put through.

A row says how to build an op from arrays.  The driver holds it to its own contract:
the inferred shape and dtype contain the actual ones, however little was known of the inputs;
the kernel gives the same under ``numpy`` and ``jax.numpy``; the gradient agrees with a
numerical one along a random direction, in float64, and so does the gradient of the gradient;
inputs that broadcast do so in each direction; where no derivative flows, none comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from retrograd.grad.gradients import gradients
from retrograd.graph.convert import as_tensor
from retrograd.graph.graph import Graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants, powers, reductions
from retrograd.run.lowering import Lowered
from retrograd.run.plan import Plan
from retrograd.run.session import Session
from retrograd.run.store import Store
from retrograd.tf import global_variables_initializer, local_variables_initializer, set_random_seed


@dataclass(frozen=True)
class Row:
    """How to build one op, and on what."""

    op: str  # the op type that the row is about
    build: Callable[..., Any]  # tensors -> a tensor or a list of them
    inputs: tuple[Any, ...]  # arrays; floating ones are float64
    orders: int = 2  # how often it can be differentiated; 0 where no derivative flows
    still: tuple[int, ...] = ()  # the inputs to which none flows though they are floating
    shapes: bool = True  # also build it on inputs of unknown shape
    traced: bool = True  # the kernel can be traced by jax.numpy
    rounding: float = 1e-9  # relative, by which the tiers may differ
    tolerance: float = 1e-5  # relative, of the numerical derivative
    step: float = 1e-4  # of the numerical derivative
    label: str = ""
    also: tuple[str, ...] = field(default=())  # other op types that the row covers
    starts: bool = False  # with variables, which get their first values
    draws: bool = False  # random numbers: each run is in a session of its own, and so draws the same

    def __str__(self) -> str:
        return f"{self.op}{'-' + self.label if self.label else ''}"

    @property
    def types(self) -> set[str]:
        """The op types that it builds."""
        return {self.op, *self.also}


def normal(*shape: int, seed: int = 0) -> np.ndarray:
    """Standard normal numbers: no ties, no zeros."""
    return np.random.RandomState(seed + 7).randn(*shape)


def between(low: float, high: float, *shape: int, seed: int = 0) -> np.ndarray:
    """Numbers away from the edges of a domain."""
    return np.random.RandomState(seed + 11).uniform(low, high, shape)


def distinct(*shape: int, seed: int = 0, gap: float = 0.1) -> np.ndarray:
    """Numbers that differ by at least ``gap``: no kink of an extremum or a rounding is near."""
    count = int(np.prod(shape))
    order = np.random.RandomState(seed + 13).permutation(count)
    return ((order - count / 2 + 0.31) * gap).reshape(shape)


def spd(n: int, seed: int = 0) -> np.ndarray:
    """A symmetric positive definite matrix."""
    a = normal(n, n, seed=seed)
    return a @ a.T + n * np.eye(n)


def _listed(outputs: Any) -> list[Tensor]:
    return list(outputs) if isinstance(outputs, list | tuple) else [outputs]


def _placeholders(inputs: Any, known: str) -> list[Tensor]:
    dims = {"all": lambda a: a.shape, "rank": lambda a: [None] * a.ndim, "nothing": lambda a: None}[known]
    set_random_seed(5)
    return [constants.placeholder(np.asarray(a).dtype, dims(np.asarray(a))) for a in inputs]


def check_shapes(row: Row, levels: Sequence[str] = ("all", "rank", "nothing")) -> None:
    """What is inferred from much or little contains what comes out."""
    for known in levels if row.shapes else ("all",):
        with Graph().as_default() as graph:
            tensors = _placeholders(row.inputs, known)
            outputs = _listed(row.build(*tensors))
            with started(graph, row) as sess:
                values = sess.run(outputs, dict(zip(tensors, row.inputs, strict=True)))
            for tensor, value in zip(outputs, values, strict=True):
                assert tensor.shape.is_compatible_with(np.shape(value)), (known, tensor, np.shape(value))
                dtype = np.dtype(object) if isinstance(value, bytes) else np.asarray(value).dtype
                assert tensor.dtype.base_dtype.np == dtype, (known, tensor, value)
    types = {op.type for op in graph.get_operations()}
    assert row.types <= types, f"the row builds {sorted(types)}"


@contextmanager
def started(graph: Graph, row: Row) -> Iterator[Session]:
    """A session, in which the variables of a row that has some have their first values."""
    with Session(graph=graph) as sess:
        if row.starts:
            with graph.as_default():
                first = [global_variables_initializer(), local_variables_initializer()]
            sess.run(first)
        yield sess


def check_tiers(row: Row) -> None:
    """Every kernel gives the same on ``jax.numpy`` arrays."""
    import jax

    with Graph().as_default() as graph, jax.enable_x64(True):
        tensors = _placeholders(row.inputs, "all")
        outputs = _listed(row.build(*tensors))
        with started(graph, row) as sess:
            theirs_all = _with_jax(Plan(outputs, (), tensors), row.inputs, sess)
            values = sess.run(outputs, dict(zip(tensors, row.inputs, strict=True)))
        for mine, theirs in zip(values, theirs_all, strict=True):
            if np.asarray(mine).dtype.kind in "fc":
                np.testing.assert_allclose(theirs, mine, rtol=row.rounding, atol=row.rounding / 1000)
            else:
                np.testing.assert_array_equal(theirs, mine)
            assert np.asarray(theirs).dtype == np.asarray(mine).dtype


def _with_jax(plan: Plan, feeds: Any, sess: Session) -> list[Any]:
    import jax.numpy as jnp

    lowered = Lowered(plan)
    values = [v if t in lowered.static else jnp.asarray(v) for t, v in zip(plan.feeds, feeds, strict=True)]
    variables = [cell.read() for cell in lowered.cells(sess._store)]
    return [np.asarray(y) for y in lowered(values, variables, lowered.streams(Store()))]


def _moved(row: Row, tensors: list[Tensor]) -> list[Tensor]:
    return [t for i, t in enumerate(tensors) if t.dtype.is_floating and i not in row.still]


def check_gradient(row: Row) -> None:
    """The derivative along a random direction, to each order that the row has."""
    with Graph().as_default() as graph:
        tensors = _placeholders(row.inputs, "all")
        smooth = _moved(row, tensors)
        outputs = [y for y in _listed(row.build(*tensors)) if y.dtype.is_floating]
        assert smooth, "nothing to differentiate"
        assert outputs, "nothing to differentiate"
        feeds = dict(zip(tensors, row.inputs, strict=True))
        with started(graph, row) as sess:
            run = sess.run
            if row.draws:
                run = partial(_in_new_session, row)
            value = _weighted_sum(outputs, 0)
            for order in range(1, row.orders + 1):
                dxs = gradients(value, smooth)
                _check_along_a_line(run, value, smooth, dxs, feeds, row, order)
                known = [dx for dx in dxs if dx is not None]
                if not known:
                    break
                value = _weighted_sum([as_tensor(dx) for dx in known], order)


def _in_new_session(row: Row, fetches: Tensor, feeds: dict[Tensor, Any]) -> Any:
    with started(fetches.graph, row) as sess:
        return sess.run(fetches, feeds)


def is_blocked(row: Row) -> bool:
    """Whether the row's op goes between continua, and yet no derivative flows through it."""
    with Graph().as_default():
        tensors = _placeholders(row.inputs, "all")
        outputs = _listed(row.build(*tensors)) if _moved(row, tensors) and not row.orders else []
        return any(y.dtype.is_floating for y in outputs)


def check_blocked(row: Row) -> None:
    """None is what comes back, or an error that says that there is no derivative."""
    with Graph().as_default():
        tensors = _placeholders(row.inputs, "all")
        outputs = [y for y in _listed(row.build(*tensors)) if y.dtype.is_floating]
        try:
            dxs = gradients(outputs, _moved(row, tensors))
        except LookupError:
            return
        assert dxs == [None] * len(dxs)


def check_broadcasting(row: Row) -> None:
    """The gradient of two inputs each of which is repeated along every dimension, in turn."""
    x, y = np.broadcast_arrays(*row.inputs)
    pairs = [(x, y[0]), (x[0], y), (x, y[:, :1]), (x[:, :1], y), (x[:, :1], y[:1]), (x, y[0, 0]), (x[0, 0], y)]

    def build(*tensors: Tensor) -> list[Tensor]:
        each = [_listed(row.build(*tensors[i : i + 2])) for i in range(0, len(tensors), 2)]
        return [output for outputs in each for output in outputs]

    check_gradient(replace(row, build=build, inputs=tuple(a for pair in pairs for a in pair), orders=1))


def reached(row: Row) -> set[tuple[str, str]]:
    """The arguments, as (op type, name), of the row's ops that its moved inputs reach."""
    found = set()
    with Graph().as_default():
        tensors = _placeholders(row.inputs, "all")
        row.build(*tensors)
        queue = _moved(row, tensors)
        known = set(queue)
        while queue:
            x = queue.pop()
            for op in x.readers:
                names = [a.name for a in op.definition.inputs for _ in range(a.count(op.attrs))]
                if op.type in (row.op, *row.also):
                    found |= {(op.type, name) for t, name in zip(op.inputs, names, strict=True) if t is x}
                fresh = [y for y in op.outputs if (y.dtype.is_floating or y.dtype.is_complex) and y not in known]
                known.update(fresh)
                queue += fresh
    return found


def _weighted_sum(tensors: list[Tensor], seed: int) -> Tensor:
    """One number that every element of ``tensors`` moves."""
    total = None
    for i, tensor in enumerate(tensors):
        count = tensor.shape.num_elements()
        if count is None:
            weighted = reductions.reduce_sum(powers.square(tensor) + 0.5 * tensor)
        else:
            weights = np.random.RandomState(100 * seed + i).uniform(0.5, 1.5, tensor.shape.as_list())
            weighted = reductions.reduce_sum(tensor * weights)
        total = weighted if total is None else total + weighted
    assert total is not None
    return total


def _check_along_a_line(
    run: Callable[[Tensor, dict[Tensor, Any]], Any],
    value: Tensor,
    xs: list[Tensor],
    dxs: list[Any],
    feeds: dict[Tensor, Any],
    row: Row,
    order: int,
) -> None:
    directions = [np.random.RandomState(i).standard_normal(np.shape(feeds[x])) for i, x in enumerate(xs)]
    got = 0.0
    for dx, v in zip(dxs, directions, strict=True):
        if dx is not None:
            got += float(np.sum(run(as_tensor(dx), feeds) * v))

    def at(step: float) -> float:
        moved = {x: feeds[x] + step * v for x, v in zip(xs, directions, strict=True)}
        return float(run(value, {**feeds, **moved}))

    h = row.step
    want = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)
    scale = max(1.0, abs(want), abs(got))
    assert abs(got - want) <= row.tolerance * scale, f"order {order}: {got} by rule, {want} numerically"
