"""Kernels that are made ready for what follows from constants: the same results and errors as without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.ops import slicing as slicing_ops

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
SLICES: list[Any] = [
    (0,), (-1, slice(None), 2), (slice(None), slice(None, None, -1)), (Ellipsis, slice(1, 3)), (0, None, Ellipsis),
    (slice(5, 9),), (slice(2, 0, -1), tf.newaxis, 1),
]  # fmt: skip


def both(build: Callable[[Any, Callable[[Any], Any]], Any], x: Any = X) -> None:
    """What ``build(x, of)`` gives is the same where ``of(value)`` is a constant and where it is fed."""
    results = []
    for is_known in (True, False):
        with tf.Graph().as_default(), tf.Session() as sess:
            fed = tf.placeholder(tf.float32)

            def of(value: Any, is_known: bool = is_known) -> Any:
                value = np.asarray(value, np.int32)
                return tf.constant(value) if is_known else tf.placeholder_with_default(value, None)

            fetch = build(fed, of)
            try:
                results.append(sess.run(fetch, {fed: x}))
            except tf.errors.OpError as error:
                results.append(str(error).partition("\n")[0])
    assert type(results[0]) is type(results[1])
    for known, fed in zip(*map(tf.nest.flatten, results), strict=True):
        np.testing.assert_array_equal(known, fed)


def slicing(subscripts: tuple[Any, ...], of: Callable[[Any], Any]) -> dict[str, Any]:
    """The arguments of a strided slice."""
    bounds = {"begin": [0] * len(subscripts), "end": [0] * len(subscripts), "strides": [1] * len(subscripts)}
    masks = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
    for i, subscript in enumerate(subscripts):
        if subscript is Ellipsis or subscript is None:
            masks["ellipsis_mask" if subscript is Ellipsis else "new_axis_mask"] |= 1 << i
        elif isinstance(subscript, slice):
            bounds["begin"][i], bounds["end"][i] = subscript.start or 0, subscript.stop or 0
            bounds["strides"][i] = subscript.step or 1
            masks["begin_mask"] |= (subscript.start is None) << i
            masks["end_mask"] |= (subscript.stop is None) << i
        else:
            bounds["begin"][i], bounds["end"][i] = subscript, subscript + 1
            masks["shrink_axis_mask"] |= 1 << i
    return {**{key: of(value) for key, value in bounds.items()}, **masks}


@pytest.mark.parametrize("subscripts", SLICES, ids=str)
def test_slices_by_constants_are_those_by_values(subscripts: tuple[Any, ...]) -> None:
    both(lambda x, of: tf.strided_slice(x, **slicing(subscripts, of)))
    part = np.zeros_like(X)[tuple(subscripts)]
    both(
        lambda x, of: tf.raw_ops.StridedSliceGrad(shape=of(X.shape), **slicing(subscripts, of), dy=x),
        part + np.float32(2),
    )


@pytest.mark.parametrize(
    "build",
    [
        lambda x, of: tf.strided_slice(x, of([5]), of([6]), of([1]), shrink_axis_mask=1),
        lambda x, of: tf.strided_slice(x, of([0] * 4), of([1] * 4), of([1] * 4)),
        lambda x, of: tf.strided_slice(x, of([0]), of([1]), of([0])),
        lambda x, of: tf.raw_ops.StridedSliceGrad(shape=of([2, 3]), begin=of([0]), end=of([2]), strides=of([1]), dy=x),
        lambda x, of: tf.concat([x, x], of(3)),
        lambda x, of: tf.concat([x, x[:, :2]], of(0)),
        lambda x, of: tf.concat([x, x[0]], of(1)),
    ],
)
def test_what_is_wrong_is_said_in_the_same_words(build: Callable[[Any, Callable[[Any], Any]], Any]) -> None:
    both(build)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_arrays_are_joined_along_constants(axis: int) -> None:
    both(lambda x, of: tf.concat([x, x + 1, x], of(axis)))


def test_constants_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    found = slicing_ops.index_of
    monkeypatch.setattr(slicing_ops, "index_of", lambda *bounds: calls.append(bounds) or found(*bounds))
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 3])
        y = x[1:, 0]
        for _ in range(3):
            np.testing.assert_array_equal(sess.run(y, {x: X[0, :, :3]}), X[0, 1:, 0])
    assert len(calls) == 1
