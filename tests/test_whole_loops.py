"""Loops that are computed as wholes from their first run on give what the interpreter gives, and fail as it does."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np

from retrograd import tf

Build = Callable[[Any, Any], list[Any]]  # (a vector of three, a number) -> fetches

AT = np.array([0.1, 0.2, -0.3])
LENGTHS = (3, 0, 33)  # there is room for 32


def outcomes(mode: str, build: Build, lengths: tuple[int, ...]) -> list[Any]:
    """What each run gives, or how it fails."""
    found: list[Any] = []
    with tf.Graph().as_default(), mock.patch.dict(os.environ, RETROGRAD_JIT=mode), tf.Session() as sess:
        tf.set_random_seed(4)
        x, n = tf.placeholder(tf.float64, [3]), tf.placeholder(tf.int32, [])
        fetches = build(x, n)
        for length in lengths:
            try:
                found.append(sess.run(fetches, {x: AT, n: length}))
            except tf.errors.InvalidArgumentError as error:
                found.append(re.sub(r"TensorArray \S+: ", "", str(error).splitlines()[0]))
    return found


def same(build: Build, lengths: tuple[int, ...] = LENGTHS) -> list[Any]:
    """The outcomes, which are the same in both ways."""
    plain = outcomes("never", build, lengths)
    for one, other in zip(outcomes("auto", build, lengths), plain, strict=True):
        if isinstance(other, str):
            assert one == other
        else:
            for a, b in zip(one, other, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)
    return plain


def derivatives(y: Any, x: Any, order: int) -> list[Any]:
    """y and its derivatives, each of a sum of the one before."""
    found = [y]
    for _ in range(order):
        found.append(tf.gradients(tf.reduce_sum(found[-1] * [1.0, 0.5, 2.0]), x)[0])
    return found


def counted(n: Any, body: Any, *firsts: Any) -> Any:
    """A loop of n iterations, of a body of the number of the iteration and the variables."""
    return tf.while_loop(lambda i, *_: i < n, lambda i, *v: (i + 1, *body(i, *v)), (0, *firsts))[1:]


def test_arrays_of_gradients_that_the_loops_of_gradients_keep(wholes: list[int]) -> None:
    def build(x: Any, n: Any) -> list[Any]:
        rows = tf.stack([x, x * x])
        inner = lambda s, v: tf.foldl(lambda a, b: tf.sin(a * b), rows * v, s)  # noqa: E731
        return derivatives(tf.reduce_sum(tf.scan(inner, rows, x), 0), x, 3)

    same(build, (1,))
    assert wholes


def test_elements_read_and_written_in_loops_of_any_length(wholes: list[int]) -> None:
    def build(x: Any, n: Any) -> list[Any]:
        read = tf.TensorArray(x.dtype, n + 1, clear_after_read=False).unstack(tf.tile(x[None], [n + 1, 1]))
        unwritten, written = tf.TensorArray(x.dtype, n + 2), tf.TensorArray(x.dtype, n + 1).write(n, x)
        step = lambda i, s, a, b: (tf.sin(read.read(i) * s) + read.read(0), a, b.write(i, s * s))  # noqa: E731
        s, unwritten, written = counted(n, step, x, unwritten, written)
        return [*derivatives(s + tf.reduce_sum(written.stack(), 0), x, 2), unwritten.size()]

    assert [r[-1] for r in same(build)] == [n + 2 for n in LENGTHS]
    assert wholes


def test_histories_of_loops_in_loops(wholes: list[int]) -> None:
    def build(x: Any, n: Any) -> list[Any]:
        def step(i: Any, s: Any) -> Any:
            (t,) = counted(i % 3, lambda j, t: [tf.sin(t * x)], s)
            return [tf.cond(t[0] > 0.05, lambda: tf.cos(t) + s, lambda: t)]

        return derivatives(counted(n, step, x)[0], x, 1)

    same(build, (4, 1))
    assert wholes


def test_who_waits_for_a_loop_waits_for_all_that_it_does(wholes: list[int]) -> None:
    def build(x: Any, n: Any) -> list[Any]:
        array = tf.TensorArray(x.dtype, n + 2, clear_after_read=False).unstack(tf.tile(x[None], [n + 2, 1]))
        gradients = array.grad("mine")

        def step(i: Any, s: Any, flow: Any, noise: Any) -> Any:
            flow = array.grad("mine", flow=flow).write(i % 2, s).flow
            with tf.control_dependencies([tf.Assert(noise < 20, ["too loud"])]):
                return tf.sin(s), flow, noise + tf.random_uniform([])

        s, flow, _ = counted(n, step, x, gradients.flow, 0.0)
        t, noise = counted(n, lambda i, t, u: (tf.cos(t), u + tf.random_uniform([])), x, 0.0)
        with tf.control_dependencies([flow, noise]):
            return [s, t, gradients.read(0), tf.random_uniform([])]

    same(build, (2, 3))
    assert wholes


def test_an_element_is_read_once_in_a_loop_and_behind_it(wholes: list[int]) -> None:
    def build(x: Any, n: Any, stride: int, last: int, one: bool) -> list[Any]:
        array = tf.TensorArray(x.dtype, n).unstack(tf.tile(x[None], [n, 1]))
        at = lambda i: (i * stride) % n  # noqa: E731
        read = lambda i: array.read(at(i)) if one else tf.reduce_sum(array.gather([at(i)]), 0)  # noqa: E731
        (s,) = counted(n - 1, lambda i, s: [s + read(i)], x)
        with tf.control_dependencies([s]):
            return [s + array.read(n - 1 - last)]

    cases = ((1, 0, True, None), (1, 1, True, 2), (1, 1, False, 2), (2, 0, True, 0), (0, 0, False, 0))
    for stride, last, one, twice in cases:
        (found,) = same(lambda x, n, a=(stride, last, one): build(x, n, *a), (4,))
        assert twice is None or f"Could not read index {twice} twice" in found
    assert wholes


def test_what_is_no_element_is_not_read(wholes: list[int]) -> None:
    def build(x: Any, n: Any, declared: list[int] | None, dynamic: bool) -> list[Any]:
        array = tf.TensorArray(
            x.dtype, n, dynamic_size=dynamic, element_shape=declared, infer_shape=False, clear_after_read=False
        ).scatter([0], x[None])
        going_on = lambda i, t: array.read(i)[0] < 5.0  # noqa: E731
        return [tf.while_loop(going_on, lambda i, t: (i + 1, t + 1.0), (0, x))[1]]

    for declared, dynamic in (([3], False), ([3], True), (None, False)):
        (found,) = same(lambda x, n, a=(declared, dynamic): build(x, n, *a), (2,))
        assert "Could not read" in found or "Tried to read" in found


def test_elements_written_and_read_in_branches(wholes: list[int]) -> None:
    def build(x: Any, n: Any) -> list[Any]:
        read = tf.TensorArray(x.dtype, n, clear_after_read=False).unstack(tf.tile(x[None], [n, 1]))

        def step(i: Any, s: Any, written: Any) -> Any:
            u = tf.cond(i > 1, lambda: tf.sin(s * read.read(i)), lambda: s)
            return u, tf.cond(s[0] > 0.05, lambda: written.write(i, s), lambda: written.write(i, s * u))

        s, written = counted(n, step, x, tf.TensorArray(x.dtype, 0, dynamic_size=True, element_shape=[3]))
        return derivatives(s + tf.reduce_sum(written.gather(tf.range(n)), 0), x, 2)

    same(build, (3, 4))
    assert len(wholes) == 8  # all loops of both runs


def test_what_is_read_by_its_shape_alone_is_not_kept(wholes: list[int]) -> None:
    def build(x: Any, n: Any) -> list[Any]:
        step = lambda i, s: [tf.cond(s[0] > 0.05, lambda: tf.sin(s), lambda: tf.reduce_sum(s) * x)]  # noqa: E731
        return derivatives(counted(n, step, x)[0], x, 1)

    same(build, (3, 5))
    assert wholes


def test_a_loop_is_a_computation_where_the_plan_can_be_none(wholes: list[int]) -> None:
    """How long the array becomes follows from values, whatever is fed."""

    def build(x: Any, n: Any) -> list[Any]:
        grown = tf.TensorArray(x.dtype, 0, dynamic_size=True)
        step = lambda i, s, a: (i + 1, tf.sin(s) + 0.3, a.write(i, s))  # noqa: E731
        *_, grown = tf.while_loop(lambda i, s, a: s[0] < 0.9, step, (0, x, grown))
        y = grown.stack()
        return [y, *tf.gradients(y, x)]

    for a, b in zip(outcomes("always", build, (1, 1, 1)), outcomes("never", build, (1, 1, 1)), strict=True):
        for mine, theirs in zip(a, b, strict=True):
            np.testing.assert_allclose(mine, theirs)
    assert wholes
