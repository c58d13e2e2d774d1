"""Forms that kernels may take under XLA, measured against each other: from this table the kernels' forms are chosen.

usage: lowerings.py [--rounds N] [--only WORD] [--write FILE]

Each case runs its forms in turn, round after round; a row says how long the fastest form takes and how many times
as long the others take (medians of wall time), and the ratio of the least processor time, which other work on the
machine disturbs less.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np

from retrograd.graph.definition import REGISTRY
from retrograd.ops import (
    convolving,
    depthwise,
    matrices,
    max_pooling,
    normalization,
    onednn,
    onednn_forms,
    pooling,
    training,
)
from retrograd.ops import onednn_convolutions as problems
from retrograd.ops.folding import folded
from retrograd.ops.jax_start import jax, jnp, lax
from retrograd.ops.pooling import Pool
from retrograd.ops.windows import Windows
from retrograd.run.libraries import by_ynn, libraries
from retrograd.run.lowering import GivenValue

Form = Callable[..., Any]
Case = tuple[str, dict[str, Form | None], tuple[Any, ...]]
RANDOM = np.random.RandomState(0)


def normal(*shape: int) -> Any:
    return jnp.asarray(RANDOM.standard_normal(shape).astype(np.float32))


# -- cases: the first form is the one that the kernel takes ------------------------------------

CONVOLUTIONS = [  # batch, side, channels, window, filters, stride, groups
    (100, 28, 1, 5, 32, 1, 1), (100, 14, 32, 5, 64, 1, 1), (32, 32, 16, 3, 16, 1, 1), (32, 32, 16, 3, 32, 2, 1),
    (32, 32, 64, 3, 64, 1, 1), (32, 32, 64, 3, 64, 2, 1), (32, 14, 256, 1, 64, 1, 1), (32, 32, 64, 3, 64, 1, 64),
]  # fmt: skip


def convolutions() -> Iterator[Case]:
    for batch, side, channels, window, filters, stride, groups in CONVOLUTIONS:
        windows = Windows.over([side] * 2, [window] * 2, [stride] * 2, "SAME")
        shape = (window, window, channels // groups, filters)
        x, w, dy = normal(batch, side, side, channels), normal(*shape), normal(batch, *windows.counts, filters)
        name = f"{window}x{window}, {channels} to {filters}, {side}x{side}, batch {batch}"
        name += f", stride {stride}" * (stride > 1) + ", depthwise" * (groups > 1)
        has_xla = groups == 1  # hundreds of times as slow where there are groups
        yield f"convolution {name}", _of_convolution(
            problems.forward_problem(x, w, windows), lambda x, w, windows=windows: onednn.call(x, w, windows),
            (lambda x, w, windows=windows: convolving._xla(x, w, windows)) if has_xla else None,
        ), (x, w)  # fmt: skip
        yield f"image gradient {name}", _of_convolution(
            problems.input_problem(dy, w, windows, x.shape), convolving._by_convolutions(dy, w, windows, x.shape),
            (lambda dy, w, windows=windows, shape=x.shape: convolving._xla_input_gradient(dy, w, windows, shape))
            if has_xla else None,
        ), (dy, w)  # fmt: skip
        by_filter = _of_convolution(
            problems.filter_problem(x, dy, windows, shape), None,
            (lambda x, dy, windows=windows, shape=shape: convolving._xla_filter_gradient(x, dy, windows, shape))
            if has_xla else None,
        )  # fmt: skip
        if not has_xla:
            by_filter["image by image"] = lambda x, dy, windows=windows: jnp.stack(
                depthwise._summed_by_images(windows.padded(jnp, x)[..., None], dy[..., None], windows)
            )
        yield f"filter gradient {name}", by_filter, (x, dy)


def _of_convolution(problem: problems.Problem | None, jaxlib: Form | None, xla: Form | None) -> dict[str, Form | None]:
    """The forms of one, XLA's first where it is too small for a library."""
    if problem is not None and onednn_forms.is_small(problem):
        return {"XLA": xla, "jaxlib": jaxlib}
    return {"library": onednn_forms.convolution_form(problem), "jaxlib": jaxlib, "XLA": xla}


PRODUCTS = [  # rows, terms, columns, and which factor is transposed
    (100, 784, 256, ""), (100, 256, 256, "right"), (784, 100, 256, "left"), (100, 156, 512, ""), (2048, 128, 512, ""),
    (2048, 512, 128, "right"), (100, 256, 10, ""), (64, 64, 64, ""), (784, 100, 10, "left"), (1024, 100, 1, "left"),
]  # fmt: skip


def products() -> Iterator[Case]:
    for rows, terms, columns, turned in PRODUCTS:
        a = normal(terms, rows) if turned == "left" else normal(rows, terms)
        b = normal(columns, terms) if turned == "right" else normal(terms, columns)

        def product(a: Any, b: Any, turned: str = turned) -> Any:
            return (a.T if turned == "left" else a) @ (b.T if turned == "right" else b)

        chosen = libraries(jax.make_jaxpr(product)(a, b).jaxpr)
        name = f"product {rows} x {terms} x {columns}" + f", {turned} factor transposed" * bool(turned)
        forms: dict[str, Form | None] = dict.fromkeys(("YNN", "Eigen") if chosen else ("Eigen", "YNN"), product)
        if turned == "left" and columns <= matrices._NARROW:
            forms = {"turned over": lambda a, b: matrices._narrow(jnp, a, b.T)} | forms
        yield name, forms, (a, b)


def pools() -> Iterator[Case]:
    for shape, size, stride in [
        ((100, 28, 28, 32), 2, 2),
        ((100, 14, 14, 64), 2, 2),
        ((32, 32, 32, 64), 3, 2),
        ((16, 28, 28, 64), 3, 1),
        ((8, 112, 112, 64), 3, 2),
    ]:
        attrs: dict[str, Any] = {"ksize": [1, size, size, 1], "strides": [1, stride, stride, 1], "padding": "SAME"}
        attrs["data_format"] = "NHWC"
        x = normal(*shape)
        y = max_pooling._max(jnp, x, **attrs)

        def reduced(x: Any, size: int = size, stride: int = stride) -> Any:
            return lax.reduce_window(x, -np.inf, lax.max, (1, size, size, 1), (1, stride, stride, 1), "SAME")

        def by_axes(x: Any, y: Any, dy: Any, attrs: Any = attrs) -> Any:
            slid = Pool(x.shape, **attrs).windows
            padded = slid.padded(jnp, x, -np.inf)
            return slid.cropped(max_pooling._sent(jnp, padded, dy, slid, 2))

        name = f"{size}x{size}, stride {stride}, {shape}"
        yield f"max pooling {name}", {
            "by axes": lambda x, attrs=attrs: max_pooling._max(jnp, x, **attrs), "ReduceWindow": reduced,
        }, (x,)  # fmt: skip
        yield f"gradient of max pooling {name}", {
            "search, then choice": lambda x, y, dy, attrs=attrs: max_pooling._max_gradient(jnp, x, y, dy, **attrs),
            "by axes": by_axes,
            "SelectAndScatter": lambda x, y, dy, reduced=reduced: jax.vjp(reduced, x)[1](dy)[0],
        }, (x, y, normal(*y.shape))  # fmt: skip

        def spread(dy: Any, shape: Any = shape, attrs: Any = attrs) -> Any:
            slid = Pool(shape, **attrs).windows
            return slid.cropped(pooling.spread(jnp, dy / pooling.counts(slid, np.float32), slid))

        yield f"gradient of mean pooling {name}", {
            "by phases": lambda dy, shape=shape, attrs=attrs: pooling._mean_gradient(jnp, np.array(shape), dy, **attrs),
            "by axes": spread,
        }, (normal(*y.shape),)  # fmt: skip


def norms() -> Iterator[Case]:
    product = normalization._total
    for shape in [(32, 32, 32, 16), (32, 8, 8, 64)]:
        x, scale, zeros = normal(*shape), normal(shape[-1]), jnp.zeros(shape[-1])

        def normalized(total: Form, x: Any, scale: Any, zeros: Any) -> Any:
            kept, normalization._total = normalization._total, total
            try:
                attrs = {"epsilon": 1e-3, "data_format": "NHWC", "is_training": True}
                return normalization._batch_norm(jnp, x, scale, zeros, zeros, zeros, **attrs)
            finally:
                normalization._total = kept

        yield f"batch normalization {shape}", {
            "sums in stages": lambda *args: normalized(product, *args),
            "sums as products": lambda *args: normalized(lambda xp, rows: jnp.ones(len(rows)) @ rows, *args),
            "sums": lambda *args: normalized(lambda xp, rows: rows.sum(0), *args),
        }, (x, scale, zeros)  # fmt: skip


def sums() -> Iterator[Case]:
    for shape, axes in [
        ((100, 28, 28, 32), (0, 1, 2)), ((32, 8, 8, 64), (0, 1, 2)), ((32, 7, 7, 512), (1, 2)), ((512, 1024), (0,)),
        ((100, 28, 28, 32), (0, 1, 2, 3)),
    ]:  # fmt: skip
        forms: dict[str, Any] = {
            "in stages": lambda x, axes=axes: folded(jnp, jnp.sum, x, axes), "at once": lambda x, axes=axes: x.sum(axes)
        }  # fmt: skip
        for name, made in (("", lambda x: x), (" of squares", jnp.square)):
            yield f"sum{name} over {axes} of {shape}", {
                kind: lambda x, form=form, made=made: form(made(x)) for kind, form in forms.items()
            }, (normal(*shape),)  # fmt: skip


def updates() -> Iterator[Case]:
    table, rows, grad = (50_000, 128), RANDOM.randint(0, 50_000, 512).astype(np.int32), normal(512, 128)
    definition = REGISTRY["SparseApplyMomentum"]
    rate = jnp.float32(0.1)

    def in_turn(values: Any, rows: Any, grad: Any) -> Any:
        given = [GivenValue(v) for v in values]
        definition.kernel(jnp, *given, rate, grad, rows, rate, use_nesterov=False)  # type: ignore[misc]
        return [g.value for g in given]

    def at_once(values: Any, rows: Any, grad: Any) -> Any:
        new = training._momentum(jnp, *(v[rows] for v in values), rate, grad, rate)
        return [v.at[rows].set(n) for v, n in zip(values, new, strict=True)]

    def whole(values: Any, rows: Any, grad: Any) -> Any:
        return list(training._momentum(jnp, *values, rate, jnp.zeros(table).at[rows].add(grad), rate))

    values = [jnp.zeros(table), jnp.zeros(table)]
    yield "momentum, 512 rows of 50000 x 128", {
        "rows in turn": in_turn, "rows, repeated ones ignored": at_once, "the whole table": whole,
    }, (values, rows, grad)  # fmt: skip


# -- measuring ---------------------------------------------------------------------------------


def measured(forms: dict[str, Form], args: tuple[Any, ...], rounds: int) -> dict[str, tuple[float, float]]:
    """Of each form the median seconds of a call, and the least processor seconds; state is donated and kept."""
    is_stateful = isinstance(args[0], list)
    states = {name: [jnp.array(v) for v in args[0]] if is_stateful else args[0] for name in forms}
    donated = (0,) if is_stateful else ()
    compiled = {
        name: jax.jit(form, donate_argnums=donated, compiler_options=by_ynn("DOT") if name == "YNN" else None)
        for name, form in forms.items()
    }
    walls: dict[str, list[float]] = {name: [] for name in forms}
    spent: dict[str, list[float]] = {name: [] for name in forms}
    for turn in range(rounds + 1):
        for name, call in compiled.items():
            wall, used = time.perf_counter(), time.process_time()
            result = jax.block_until_ready(call(states[name], *args[1:]))
            wall, used = time.perf_counter() - wall, time.process_time() - used
            if is_stateful:
                states[name] = result
            if turn:
                walls[name].append(wall)
                spent[name].append(used)
    return {name: (float(np.median(walls[name])), min(spent[name])) for name in forms}


def _vectors() -> str:
    """The widest vector instructions of the processor, on which the order of the forms depends."""
    try:
        flags = Path("/proc/cpuinfo").read_text()
    except OSError:
        return "unknown vectors"
    return next((name for name in ("avx512f", "avx2", "avx") if name in flags), "no avx")


def table(rounds: int, only: str) -> Iterator[str]:
    """The lines of the table."""
    machine = f"{jax.default_backend()}, {os.cpu_count()} cores, {platform.machine()}, {_vectors()}"
    yield f"{machine}; JAX {jax.__version__}; {rounds} rounds"
    yield ""
    yield "| case | form | ms | ratio | processor ms | ratio |"
    yield "|---|---|---:|---:|---:|---:|"
    for cases in (convolutions, products, pools, norms, sums, updates):
        for name, forms, args in cases():
            if only in name:
                found = measured({k: f for k, f in forms.items() if f is not None}, args, rounds)
                wall, used = (next(iter(found.values()))[i] for i in (0, 1))
                for form, (w, u) in found.items():
                    yield f"| {name} | {form} | {w * 1e3:.2f} | {w / wall:.2f} | {u * 1e3:.2f} | {u / used:.2f} |"


def main() -> None:
    """Print the table, and perhaps write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--only", default="", metavar="WORD")
    parser.add_argument("--write", type=Path, metavar="FILE", help="writes the table there anew")
    args = parser.parse_args()
    lines = []
    for line in table(args.rounds, args.only):
        print(line)
        sys.stdout.flush()
        lines.append(line)
    if args.write:
        before = args.write.read_text().splitlines() if args.write.exists() else ["# Forms of kernels under XLA", ""]
        text = list(takewhile(lambda line: "; JAX " not in line, before))  # what stands above the table stays
        args.write.write_text("\n".join([*text, *lines]) + "\n")


if __name__ == "__main__":
    main()
