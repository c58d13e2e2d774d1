"""Random programs of loops, branches, maps, scans, folds and arrays, nested in any way.

Each is written once, for an object that knows how to loop: one builds a graph, one computes with NumPy.  What the
graph computes is held to NumPy, and its derivatives, to the third, to differences of the one before.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retrograd import tf

Program = Callable[[Any, dict[str, Any]], Any]  # (how to loop, the names in scope) -> a vector of three numbers


class InGraph:
    """Loops as ops."""

    xp = tf

    def loop(self, count: int, body: Any, s: Any) -> Any:
        return tf.while_loop(lambda i, _: i < count, lambda i, s: (i + 1, body(s)), (0, s))[1]

    def cond(self, x: Any, bound: float, true: Any, false: Any) -> Any:
        return tf.cond(x[0] > bound, true, false)

    def map(self, f: Any, rows: list[Any]) -> Any:
        return tf.reduce_sum(tf.map_fn(f, tf.stack(rows)), 0)

    def scan(self, f: Any, rows: list[Any], first: Any) -> Any:
        return tf.reduce_sum(tf.scan(f, tf.stack(rows), first), 0)

    def foldl(self, f: Any, rows: list[Any], first: Any) -> Any:
        return tf.foldl(f, tf.stack(rows), first)

    def foldr(self, f: Any, rows: list[Any], first: Any) -> Any:
        return tf.foldr(f, tf.stack(rows), first)

    def grown(self, count: int, f: Any, x: Any) -> Any:
        """An array whose elements follow from the one before and the first."""
        array = tf.TensorArray(x.dtype, 0, dynamic_size=True, clear_after_read=False).write(0, x)

        def body(i: Any, array: Any) -> Any:
            return i + 1, array.write(i, f(array.read(i - 1)) + array.read(0))

        _, array = tf.while_loop(lambda i, _: i <= count, body, (1, array))
        return tf.reduce_sum(array.stack(), 0) * array.read(count)

    def written(self, count: int, f: Any, x: Any, bound: float) -> Any:
        """An array written in branches of a loop."""

        def body(i: Any, s: Any, array: Any) -> Any:
            t = f(s)
            array = tf.cond(t[0] > bound, lambda: array.write(i, t * s), lambda: array.write(i, s))
            return i + 1, t, array

        array = tf.TensorArray(x.dtype, count)
        _, s, array = tf.while_loop(lambda i, *_: i < count, body, (0, x, array))
        return tf.reduce_sum(array.stack(), 0) + s


class InNumPy:
    """Loops as Python has them."""

    xp = np

    def loop(self, count: int, body: Any, s: Any) -> Any:
        for _ in range(count):
            s = body(s)
        return s

    def cond(self, x: Any, bound: float, true: Any, false: Any) -> Any:
        return true() if x[0] > bound else false()

    def map(self, f: Any, rows: list[Any]) -> Any:
        return sum(f(row) for row in rows)

    def _passed(self, f: Any, rows: list[Any], first: Any) -> list[Any]:
        passed = [rows[0]] if first is None else [first]
        for row in rows[1:] if first is None else rows:
            passed.append(f(passed[-1], row))
        return passed

    def scan(self, f: Any, rows: list[Any], first: Any) -> Any:
        return sum(self._passed(f, rows, first)[first is not None :])

    def foldl(self, f: Any, rows: list[Any], first: Any) -> Any:
        return self._passed(f, rows, first)[-1]

    def foldr(self, f: Any, rows: list[Any], first: Any) -> Any:
        return self._passed(f, rows[::-1], first)[-1]

    def grown(self, count: int, f: Any, x: Any) -> Any:
        elements = [x]
        for _ in range(count):
            elements.append(f(elements[-1]) + x)
        return sum(elements) * elements[count]

    def written(self, count: int, f: Any, x: Any, bound: float) -> Any:
        total, s = np.zeros(3), x
        for _ in range(count):
            t = f(s)
            total, s = total + (t * s if t[0] > bound else s), t
        return total + s


def program(r: random.Random, depth: int, names: list[str]) -> Program:
    """A program over ``names``, with at most ``depth`` loops and branches inside one another."""
    plain = ["name", "name", "sin", "mul", "turned"]
    kind = r.choice(plain if depth < 1 else [*plain, *_NESTED])
    if kind == "name" or depth < -1:
        name = r.choice(names)
        return lambda b, env: env[name]
    f, g = program(r, depth - 1, names), program(r, depth - 1, names)
    if kind in plain:
        return {
            "sin": lambda b, env: b.xp.sin(f(b, env)),
            "mul": lambda b, env: f(b, env) * b.xp.cos(g(b, env)),
            "turned": lambda b, env: f(b, env) + g(b, env)[::-1],
        }[kind]
    return _nested(kind, r, f, g, program(r, depth - 1, [*names, "s"]), program(r, depth - 1, [*names, "s", "v"]))


_NESTED = ["loop", "cond", "map", "scan", "foldl", "foldr", "grown", "written"]


def _nested(kind: str, r: random.Random, f: Program, g: Program, of_one: Program, of_two: Program) -> Program:
    count, bound, starts = r.randint(1, 3), r.uniform(-0.5, 0.8), r.random() < 0.5

    def run(b: Any, env: dict[str, Any]) -> Any:
        def one(s: Any) -> Any:
            return b.xp.sin(of_one(b, {**env, "s": s}) + s)

        def two(s: Any, v: Any) -> Any:
            return b.xp.sin(of_two(b, {**env, "s": s, "v": v}) + s * v)

        if kind == "cond":
            return b.cond(env["x"], bound, lambda: f(b, env), lambda: g(b, env))
        x = f(b, env)
        if kind == "loop":
            return b.loop(count - 1, one, x)
        if kind == "grown":
            return b.grown(count, one, x)
        if kind == "written":
            return b.written(count, one, x, bound)
        rows = [x, x[::-1] * 0.5, x * x]
        return b.map(one, rows) if kind == "map" else getattr(b, kind)(two, rows, b.xp.cos(x) if starts else None)

    return run


WEIGHTS = np.random.RandomState(0).uniform(0.5, 1.5, (2, 3))  # of the gradients, in a sum


@pytest.mark.parametrize("seed", [0, 6, 11, 16, 20, 36, 38, 44])  # every kind of nesting is among them
def test_random_program(seed: int) -> None:
    of = program(random.Random(seed), 2, ["x"])
    at = np.random.RandomState(seed).uniform(-1, 1.2, 3)
    direction = np.random.RandomState(seed + 1).standard_normal(3)
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float64, [3])
        y = tf.identity(of(InGraph(), {"x": x}))
        sums = [tf.reduce_sum(y)]
        for weights in WEIGHTS:
            sums.append(tf.reduce_sum(weights * tf.gradients(sums[-1], x, unconnected_gradients="zero")[0]))
        dxs = [tf.gradients(v, x, unconnected_gradients="zero")[0] for v in sums]
        slopes = [np.sum(dx * direction) for dx in sess.run(dxs, {x: at})]
        got = sess.run(y, {x: at})
        h = 1e-4
        a, b, c, d = (np.array(sess.run(sums, {x: at + step * h * direction})) for step in (-2, -1, 1, 2))
    np.testing.assert_allclose(got, of(InNumPy(), {"x": at}), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(slopes, (a - 8 * b + 8 * c - d) / (12 * h), rtol=1e-6, atol=1e-7)
