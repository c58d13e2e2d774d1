"""Values inside of a pure function: arrays, what is made of arrays, and what is known while it is traced.

A body of a branch or a loop is traced once, by ``traced``, as a function of values to a function of arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.graph.errors import explain
from retrograd.graph.operation import Operation
from retrograd.ops.dense_elements import Composite, DenseElements
from retrograd.ops.requirements import all_hold, required

_FEW = 16  # numbers that may be sizes
ABSENT: Any = object()  # the value of what is in a branch that is not taken


class NotLowered(NotImplementedError):
    """A plan holds an op that cannot be part of a pure function of arrays."""

    def __init__(self, op: Operation, why: str) -> None:
        words = f"Operation '{op.name}' (op type: {op.type}) cannot be lowered: {why}"
        super().__init__(explain(words, where=op.place, fix="fetch it with sess.run(...), which interprets the graph"))
        self.op = op


def is_array(value: Any) -> bool:
    """Whether ``value`` is an array that is traced, or could as well be."""
    from retrograd.ops.jax_start import jax

    return isinstance(value, jax.Array | jax.ShapeDtypeStruct)


def is_known(value: Any) -> bool:
    """Whether ``value`` is a number or an array that is known while tracing."""
    return isinstance(value, np.ndarray | np.generic | bytes | bool | int | float)


def array_kind(dims: Sequence[int], dtype: Any) -> Any:
    """What an array of this shape and dtype is in kind."""
    from retrograd.ops.jax_start import jax

    kinds: Any = jax.ShapeDtypeStruct
    return kinds(tuple(dims), dtype)


def as_array(value: Any) -> Any:
    """``value`` with its numbers as arrays of JAX."""
    from retrograd.ops.jax_start import jnp

    return jnp.asarray(value) if is_known(value) else value


def leaves(value: Any) -> list[Any]:
    """The arrays that ``value`` is made of."""
    if is_array(value):
        return [value]
    if isinstance(value, Composite):
        return [leaf for part in value.parts() for leaf in leaves(part)]
    return []


def with_leaves(value: Any, arrays: list[Any]) -> Any:
    """``value`` with the first of ``arrays``, which are taken out, in the places of its own."""
    if is_array(value):
        return arrays.pop(0)
    if isinstance(value, Composite):
        return value.with_parts([with_leaves(part, arrays) for part in value.parts()])
    return value


def zeros_like(value: Any) -> Any:
    """``value`` with zeros for arrays."""
    from retrograd.ops.jax_start import jnp

    return with_leaves(value, [jnp.zeros(x.shape, x.dtype) for x in leaves(value)])


def kind(value: Any) -> Any:
    """What two values that one variable can hold have in common."""
    if is_array(value):
        return (tuple(value.shape), str(value.dtype))
    if isinstance(value, Composite):
        return (type(value), value.facts(), tuple(map(kind, value.parts())))
    if is_known(value):
        array = np.asarray(value)
        content = tuple(array.ravel().tolist()) if array.dtype.kind == "O" else array.tobytes()
        return ("known", array.dtype.str, array.shape, content)
    return ("same", id(value))


def sizes_of(value: Any) -> list[int]:
    """Those numbers of what is known that may be sizes: a few whole ones, or the shape of one number repeated."""
    array = np.asarray(value)
    if _are_few(array):
        found: list[int] = array.ravel().tolist()
        return found
    return [*array.shape] if _is_repeated(array) else []


def _are_few(array: np.ndarray) -> bool:
    return array.dtype.kind in "iu" and array.size <= _FEW


def _is_repeated(array: np.ndarray) -> bool:
    return array.ndim > 0 and array.size > 0 and array.dtype.kind != "O" and bool((array == array.flat[0]).all())


def of_sizes(value: Any, sizes: list[int]) -> Any:
    """What is known with the first of ``sizes``, which are taken out, in the place of its own."""
    array = np.asarray(value)
    count = len(sizes_of(array))
    numbers = [sizes.pop(0) for _ in range(count)]
    if not count:
        return value
    if _are_few(array):
        return np.array(numbers, array.dtype).reshape(array.shape)[()]
    return np.broadcast_to(array.flat[0], numbers)


def without_sizes(value: Any) -> Any:
    """What is known, in kind, without what may be sizes."""
    array = np.asarray(value)
    if _are_few(array):
        return (array.dtype.str, array.shape)
    return (array.dtype.str, array.ndim, array.flat[0].item()) if _is_repeated(array) else kind(value)


def shapeless(value: Any) -> Any:
    """What ``value`` is in kind, without its sizes."""
    if is_array(value):
        return (len(value.shape), str(value.dtype))
    if isinstance(value, Composite):
        return (type(value), value.facts(), tuple(map(shapeless, value.parts())))
    return without_sizes(value) if is_known(value) else kind(value)


def common(one: Any, two: Any) -> Any:
    """In kind, what both values can be turned into: where they differ in what is known, an array.

    Raises:
      ValueError: there is no such kind.
    """
    if kind(one) == kind(two):
        return one
    if isinstance(one, DenseElements) != isinstance(two, DenseElements):  # to others a flow is a number
        elements, number = (one, two) if isinstance(one, DenseElements) else (two, one)
        if number is None or np.shape(number):
            raise ValueError("the values are of different kinds")
        return common(elements, DenseElements(elements.length, elements.order, None, None))
    if isinstance(one, DenseElements) and isinstance(two, DenseElements) and one.order == two.order:
        return _common_elements(one, two)
    if isinstance(one, Composite) and isinstance(two, Composite):
        if type(one) is type(two) and one.facts() == two.facts() and len(one.parts()) == len(two.parts()):
            return one.with_parts([common(a, b) for a, b in zip(one.parts(), two.parts(), strict=True)])
    elif all(is_known(v) or is_array(v) for v in (one, two)):
        one, two = as_array(one), as_array(two)
        if kind(one) == kind(two):
            return array_kind(one.shape, one.dtype)
    raise ValueError("the values are of different kinds")


def _common_elements(one: DenseElements, two: DenseElements) -> DenseElements:

    length = max(one.length, two.length)
    rows = [(length, *e.rows.shape[1:]) for e in (one, two) if e.rows is not None]
    if len(rows) == 2 and rows[0] != rows[1]:
        raise ValueError("the elements are of different shapes")
    dtype = next((e.rows.dtype for e in (one, two) if e.rows is not None), None)
    written = None
    if one.written is not None and two.written is not None:
        is_same = kind(one.written) == kind(two.written) and is_known(one.written)
        written = one.written if is_same else array_kind((length,), np.dtype(bool))
    shaped = array_kind(rows[0], dtype) if rows else None
    growing = one.growing or two.growing or one.length != two.length
    return DenseElements(length, one.order, shaped, written, growing)


def turned(value: Any, like: Any) -> Any:
    """``value`` as one of the kind of ``like``, which is common to it and another."""
    from retrograd.ops.jax_start import jnp

    if isinstance(like, DenseElements):
        if not isinstance(value, DenseElements):
            value = DenseElements(like.length, like.order, None, None)
        value = value.long(like.length)
        rows = value.rows
        if rows is None and like.rows is not None:
            rows = jnp.zeros(like.rows.shape, like.rows.dtype)
        written = None if like.written is None else turned(value.written, like.written)
        return DenseElements(like.length, value.order, rows, written, like.growing)
    if isinstance(value, Composite):
        pairs = zip(value.parts(), like.parts(), strict=True)
        return value.with_parts([turned(part, other) for part, other in pairs])
    return as_array(value) if is_array(like) else value


class Traced:
    """A function of values, traced once: ``results`` are its results in kind."""

    def __init__(self, jaxpr: Any, results: list[Any], extra: list[Any], checks: bool) -> None:
        from retrograd.ops.jax_start import jaxpr_as_fun

        self.function: Callable[..., Any] = jaxpr_as_fun(jaxpr)
        self.results = results
        self.changed = extra  # the places that it changes; their new values stand behind the results
        self.checks = checks  # whether a truth that says if all required conditions hold stands behind these

    def __call__(self, arrays: Sequence[Any]) -> list[Any]:
        """The arrays of the results, of the changed places, and the truth about what is required."""
        from retrograd.ops.jax_start import jnp

        return [jnp.asarray(x) for x in self.function(*arrays)]


def traced(
    function: Callable[[list[Any]], list[Any]], arguments: Sequence[Any], places: Sequence[Any], carried: Sequence[Any]
) -> Traced:
    """``function`` traced for ``arguments``, of which only the kind counts.

    It may change ``places``, which afterwards are what they were.  The arrays that it takes are those of
    the arguments and then the contents of the ``carried`` places.
    """
    from retrograd.ops.jax_start import jax

    before = [p.value for p in places]  # read out here, where what waits for a reader is done
    given = [*arguments, *[as_array(p.value) for p in carried]]
    results: list[Any] = []
    changed: list[Any] = []
    checks: list[bool] = []

    def of_arrays(*arrays: Any) -> list[Any]:
        rest = list(arrays)
        values = [with_leaves(v, rest) for v in given]
        try:
            for place, value in zip(carried, values[len(arguments) :], strict=True):
                place.value = value
            begun = [p.value for p in places]
            with required() as conditions:
                results[:] = function(values[: len(arguments)])
            after = [p.value for p in places]
            changed[:] = [p for p, a, b in zip(places, begun, after, strict=True) if a is not b or p in carried]
            checks[:] = [bool(conditions)]
            contents = [as_array(p.value) for p in changed]
            flat = [leaf for value in (*results, *contents) for leaf in leaves(value)]
            return [*flat, all_hold(conditions)] if conditions else flat
        finally:
            for place, value in zip(places, before, strict=True):
                place.value = value

    shapes = [array_kind(x.shape, x.dtype) for v in given for x in leaves(v)]
    jaxpr, found = jax.make_jaxpr(of_arrays, return_shape=True)(*shapes)
    kinds: list[Any] = list(found)
    return Traced(jaxpr, [_in_kind(v, kinds) for v in results], list(changed), checks[0])


def _in_kind(value: Any, shapes: list[Any]) -> Any:
    """``value`` with shapes in the place of its arrays, which are of a trace that is over."""
    if is_array(value):
        return shapes.pop(0)
    if isinstance(value, Composite):
        return value.with_parts([_in_kind(part, shapes) for part in value.parts()])
    return value
