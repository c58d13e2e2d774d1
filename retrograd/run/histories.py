"""What a loop keeps of a value for the gradient: the ``History`` of a pure function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.ops.dense_elements import Composite, Stepped
from retrograd.run.bounded import NotBounded, as_the_size, is_longer
from retrograd.run.held import ABSENT, array_kind, is_known, leaves, with_leaves, zeros_like


class Same(Composite):
    """A value that every iteration has had."""

    def __init__(self, value: Any, count: Any) -> None:
        self.value = value
        self.count = count  # known, or traced

    def parts(self) -> list[Any]:
        return [self.value, self.count]

    def with_parts(self, parts: Sequence[Any]) -> Same:
        return Same(*parts)

    def facts(self) -> tuple[Any, ...]:
        return ()

    def before(self, k: Any) -> Any:
        """The value in the k-th iteration from the last."""
        return self.value

    def joined(self) -> Any:
        """The rows of all iterations behind one another."""
        from retrograd.ops.jax_start import jnp

        return jnp.concatenate([jnp.asarray(self.value)] * _known_count(self.count))

    def __add__(self, other: Any) -> Any:
        if self.value is ABSENT or (isinstance(other, Same) and other.value is ABSENT):
            return other if self.value is ABSENT else self
        if isinstance(other, Same):
            return Same(self.value + other.value, self.count)
        return other + self


class Steps:
    """Values that are known, one for each iteration."""

    shape = ()

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = values
        self.count = len(values)

    def joined(self) -> Any:
        """The rows of all iterations behind one another."""
        return np.concatenate(self.values)


class Stack(Composite):
    """Values in the rows of arrays; ``like`` is what they are made into.

    Args:
      rows: for each array of a value, the stack of all.
      count: how many there are, known or traced; there may be more rows.
      is_backward: whether the last iteration comes first.
      is_whole: whether each iteration has computed the value.
    """

    def __init__(self, like: Any, rows: Sequence[Any], count: Any, is_backward: bool, is_whole: bool) -> None:
        self.like = like
        self.rows = list(rows)
        self.count = count
        self.is_backward = is_backward
        self.is_whole = is_whole

    def parts(self) -> list[Any]:
        return [*self.rows, self.count]

    def with_parts(self, parts: Sequence[Any]) -> Stack:
        return Stack(self.like, parts[:-1], parts[-1], self.is_backward, self.is_whole)

    def facts(self) -> tuple[Any, ...]:
        return (self.is_backward, self.is_whole)

    def before(self, k: Any) -> Any:
        """The value in the k-th iteration from the last."""
        from retrograd.ops.jax_start import lax

        if any(len(x) == 0 for x in self.rows):  # of a loop that never runs
            return zeros_like(self.like)
        i = k if self.is_backward else self.count - 1 - k
        return with_leaves(self.like, [lax.dynamic_index_in_dim(x, i, 0, keepdims=False) for x in self.rows])

    def in_order(self) -> list[Any]:
        """The rows, the first iteration's first."""
        _known_count(self.count)
        return [x[::-1] if self.is_backward else x for x in self.rows]

    def joined(self) -> Any:
        """The rows of all iterations behind one another."""
        if not self.is_whole:
            raise NotImplementedError("not every iteration has computed it")
        (rows,) = self.in_order()
        return rows.reshape((-1, *rows.shape[2:]))

    def split(self, rows: Any) -> Stack:
        """``rows`` given back to the iterations that they come from."""
        count = _known_count(self.count)
        parts = rows.reshape((count, -1, *rows.shape[1:]))
        return Stack(parts[0] if count else parts, [parts], count, False, self.is_whole)

    def __add__(self, other: Any) -> Any:
        from retrograd.ops.jax_start import jnp

        if isinstance(other, Same) and other.value is ABSENT:
            return self
        if isinstance(other, Same):
            pairs = zip(leaves(other.value), self.rows, strict=True)
            more = [jnp.broadcast_to(x, (len(mine), *x.shape)) for x, mine in pairs]
            other = Stack(other.value, more, self.count, self.is_backward, True)
        if other.is_backward is not self.is_backward:
            _known_count(self.count)
            other = Stack(other.like, [x[::-1] for x in other.rows], other.count, self.is_backward, other.is_whole)
        terms = zip(_are_terms(self.like), self.rows, other.rows, strict=True)
        sums = [x + y if is_term else x for is_term, x, y in terms]
        return Stack(self.like, sums, self.count, self.is_backward, self.is_whole or other.is_whole)


def reshaped(value: Any) -> Any:
    """``value``, whose arrays may have other shapes than what its stacks say that they hold."""
    if isinstance(value, Stack):
        kinds = [array_kind(x.shape[1:], x.dtype) for x in value.rows]
        like = reshaped(with_leaves(value.like, kinds))
        return Stack(like, value.rows, value.count, value.is_backward, value.is_whole)
    return Same(reshaped(value.value), value.count) if isinstance(value, Same) else value


def of_size(least: Any, most: Any, range_: tuple[int, int], size: np.int32) -> Any:
    """A value of two traces, with what it knows as it is for ``size``.

    Raises:
      NotBounded: the traces know other things.
    """
    if type(least) is not type(most) and not (is_known(least) and is_known(most)):
        raise NotBounded("the function computes otherwise for another size")
    if is_known(most):
        one, two = np.asarray(least), np.asarray(most)
        if is_longer(one, two):
            return two[tuple([slice(n if n == m else size) for n, m in zip(one.shape, two.shape, strict=True)])]
        return as_the_size(one, two, range_, size, np.where)
    if isinstance(most, Steps):
        if least.count != most.count:
            raise NotBounded("the number of iterations depends on the size")
        return Steps([of_size(*pair, range_, size) for pair in zip(least.values, most.values, strict=True)])
    if isinstance(most, Stack):
        found = most.with_parts(
            [of_size(*pair, range_, size) for pair in zip(least.parts(), most.parts(), strict=True)]
        )
        return Stack(
            of_size(least.like, most.like, range_, size), found.rows, found.count, most.is_backward, most.is_whole
        )
    if isinstance(most, Composite):
        return most.with_parts([of_size(*pair, range_, size) for pair in zip(least.parts(), most.parts(), strict=True)])
    return most


def _are_terms(value: Any) -> list[bool]:
    """For each array of a value, whether it is added up in a sum of such values: numbers of iterations are not."""
    if isinstance(value, Stack):
        return [*_are_terms(value.like), *[False for _ in leaves(value.count)]]
    if isinstance(value, Same):
        return [*_are_terms(value.value), *[False for _ in leaves(value.count)]]
    return [True for _ in leaves(value)]


def recalled(history: Any, k: Any, count: Any) -> Any:
    """What the k-th iteration of a loop, of ``count`` if that is known, finds in a history."""
    if isinstance(history, Steps):
        backwards = list(reversed(history.values))
        now = _at(backwards, k)
        return Stepped(backwards, now) if is_known(count) and count == len(backwards) else now
    return history.before(k)


def _at(values: Sequence[Any], k: Any) -> Any:
    """The k-th of ``values``, k being traced."""
    from retrograd.ops.jax_start import jnp, lax

    if not len(values):
        return jnp.zeros(())
    first, array = values[0], np.stack(values)
    if all(np.array_equal(v, first) for v in values[1:]):
        return np.asarray(first)
    if array.ndim == 1 and array.dtype.kind == "i":
        steps = np.diff(array)
        if (steps == steps[0]).all():
            return (k * int(steps[0]) + int(first)).astype(array.dtype)
    return lax.dynamic_index_in_dim(jnp.asarray(array), k, 0, keepdims=False)


def stepped(values: Sequence[Any], k: Any) -> Any:
    """What is known in each iteration, in the k-th, k being traced."""
    now = _at(values, k)
    return now if is_known(now) else Stepped(values, now)


def _known_count(count: Any) -> int:
    if not is_known(count):
        raise NotImplementedError("the number of iterations is not known while tracing")
    return int(count)
