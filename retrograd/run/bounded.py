"""Computations for sizes that are known only when they run, in arrays as long as the largest.

XLA computes for shapes that never change.  Sentences differ in length, and so do the memories that attention goes
through.  A function is traced twice, for the least size and for the largest.  Axes that differ in the two jaxprs are
those of that size; numbers that differ as it does are it.  The equations run as they stand for the largest size, and
behind its end an array holds numbers that mean nothing: to a sum they are made zero, to a maximum minus infinity, by
the rules of ``run.bounded_rules``.  What differs in another way, or has no rule, is not computed like this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from retrograd.run.equations import functions_in, is_literal, run

Axes = tuple[tuple[int | None, ...], ...]  # the factors of each dimension; None is the size that is not known
Rule = Callable[["Walk", "Equation"], "list[Value]"]


class NotBounded(Exception):
    """A function cannot be computed for a size that is not known."""


class Value(NamedTuple):
    """An array, which of its axes are of the size that is not known, and whether zeros stand behind their ends."""

    array: Any
    axes: Axes
    ends_in_zeros: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether all its numbers mean something."""
        return not any(None in axis for axis in self.axes)


class Equation(NamedTuple):
    """One equation in both jaxprs, and the values that it reads."""

    least: Any
    most: Any
    inputs: list[Value]

    @property
    def name(self) -> str:
        """The primitive's name."""
        return str(self.most.primitive.name)

    def run(self, inputs: Sequence[Any] | None = None) -> list[Any]:
        """The arrays that it makes."""
        return run(self.most, [v.array for v in self.inputs] if inputs is None else inputs)

    def param(self, name: str) -> Any:
        """A parameter of the equation for the largest size."""
        return self.most.params[name]

    def same(self, *names: str) -> None:
        """Hold that these parameters do not depend on the size.

        Raises:
          NotBounded: one does.
        """
        for name in names:
            if not _is_same(self.least.params[name], self.most.params[name]):
                raise NotBounded(f"{self.name}: {name} depends on the size")


def _is_same(one: Any, two: Any) -> bool:
    try:
        return bool(one == two)
    except ValueError:  # arrays
        return np.array_equal(one, two)


class Walk:
    """Two jaxprs of a function, gone through side by side.

    Args:
      least, most: the sizes that they are traced for.
      size: the size, an int32 that is traced.
    """

    def __init__(self, rules: Mapping[str, Rule], least: int, most: int, size: Any) -> None:
        self.rules = rules
        self.least = least
        self.most = most
        self.size = size

    def through(self, least: Any, most: Any, inputs: Sequence[Value]) -> list[Value]:
        """What jaxprs, closed or without constants, make of ``inputs``.

        Raises:
          NotBounded: they are not one function of two sizes, or have equations without a rule.
        """
        one, two = (getattr(x, "jaxpr", x) for x in (least, most))
        constants = [getattr(x, "consts", ()) for x in (least, most)]
        counts = [
            (len(x.eqns), len(x.invars), len(x.outvars), len(c)) for x, c in zip((one, two), constants, strict=True)
        ]
        if counts[0] != counts[1]:
            raise NotBounded("the function computes otherwise for another size")
        values = dict(zip(two.invars, inputs, strict=True))
        values.update(zip(two.constvars, map(self._constant, *constants), strict=True))
        names = dict(zip([*one.invars, *one.constvars], [*two.invars, *two.constvars], strict=True))
        for a, b in zip(one.eqns, two.eqns, strict=True):
            results = self._equation(Equation(a, b, self._read(names, values, a.invars, b.invars)))
            for x, y, value in zip(a.outvars, b.outvars, results, strict=True):
                if (
                    self.dims(value.axes, self.least) != x.aval.shape
                    or self.dims(value.axes, self.most) != y.aval.shape
                ):
                    raise NotBounded(f"{b.primitive.name}: the axes of its results are unclear")
            names.update(zip(a.outvars, b.outvars, strict=True))
            values.update(zip(b.outvars, results, strict=True))
        return self._read(names, values, one.outvars, two.outvars)

    def _read(self, names: Mapping[Any, Any], values: Mapping[Any, Value], one: Any, two: Any) -> list[Value]:
        found = []
        for x, y in zip(one, two, strict=True):
            if is_literal(x) and is_literal(y):
                found.append(self._constant(x.val, y.val))
            elif is_literal(x) or is_literal(y) or names[x] is not y:
                raise NotBounded("the function reads otherwise for another size")
            else:
                found.append(values[y])
        return found

    def _equation(self, eqn: Equation) -> list[Value]:
        counts = [(x.primitive.name, len(x.invars), len(x.outvars)) for x in (eqn.least, eqn.most)]
        if counts[0] != counts[1]:
            raise NotBounded("the function computes otherwise for another size")
        rule = self.rules.get(eqn.name)
        shapes = [(x.aval.shape, y.aval.shape) for x, y in zip(eqn.least.outvars, eqn.most.outvars, strict=True)]
        is_whole = all(v.is_whole for v in eqn.inputs) and all(x == y for x, y in shapes)
        if is_whole and not any(True for _ in functions_in(eqn.most)):
            eqn.same(*eqn.most.params)
            return [Value(x, whole(x.shape)) for x in eqn.run()]
        if rule is None:
            if is_whole:  # of a function that nobody looks into
                return [Value(x, whole(x.shape)) for x in eqn.run()]
            raise NotBounded(f"{eqn.name} has no rule")
        return rule(self, eqn)

    # -- sizes ---------------------------------------------------------------------------------

    def dims(self, axes: Axes, size: int) -> tuple[int, ...]:
        """The shape that ``axes`` have for a size."""
        return tuple([prod([size if n is None else n for n in axis]) for axis in axes])

    def power(self, least: int, most: int) -> tuple[int, int]:
        """``(k, d)``: a dimension of these two sizes is k times the size to the d, and d is 0 or 1."""
        if least == most:
            return most, 0
        if most % self.most or least * self.most != most * self.least:
            raise NotBounded("a dimension is no multiple of the size")
        return most // self.most, 1

    def axis(self, least: int, most: int) -> tuple[int | None, ...]:
        """An axis of these two sizes, if it is a plain one."""
        k, d = self.power(least, most)
        if d and k != 1:
            raise NotBounded("an axis is a multiple of the size")
        return (None,) if d else (k,)

    def _constant(self, least: Any, most: Any) -> Value:
        """What two traces know: the same, or the same up to the shorter's end, or as the size."""
        from retrograd.ops.jax_start import jnp

        if least is most:
            return Value(most, whole(np.shape(most)), not np.any(most) if np.ndim(most) == 0 else False)
        one, two = np.asarray(least), np.asarray(most)
        if one.ndim != two.ndim:
            raise NotBounded("a constant is another one for another size")
        axes = tuple(map(self.axis, one.shape, two.shape))
        if is_longer(one, two):
            return Value(most, axes, not two.any())
        return Value(as_the_size(one, two, (self.least, self.most), jnp.asarray(self.size), jnp.where), axes)

    # -- what stands behind the end ------------------------------------------------------------

    def filled(self, value: Value, filler: Any, axes: Sequence[int]) -> Any:
        """The array of ``value`` with ``filler`` behind the ends of ``axes``."""
        from retrograd.ops.jax_start import jnp

        places = [i for i in axes if None in value.axes[i]]
        if not places or (value.ends_in_zeros and not filler):
            return value.array
        inside = self.inside(value.axes, places)
        return jnp.where(inside, value.array, jnp.asarray(filler, value.array.dtype))

    def inside(self, axes: Axes, places: Sequence[int]) -> Any:
        """Which elements stand before the ends of the axes ``places``; of rank as the array."""
        from retrograd.ops.jax_start import jnp, lax

        shape = self.dims(axes, self.most)
        found = None
        for i in places:
            numbers = lax.iota(np.int32, shape[i])
            step = shape[i]
            for factor in axes[i]:
                length = self.most if factor is None else factor
                step //= length
                if factor is None:
                    before = (numbers // step) % length < self.size
                    aligned = before.reshape([-1 if j == i else 1 for j in range(len(shape))])
                    found = aligned if found is None else jnp.logical_and(found, aligned)
        return found


def is_longer(one: np.ndarray, two: np.ndarray) -> bool:
    """Whether ``two`` is ``one``, or goes on behind its ends."""
    if one.dtype != two.dtype or one.ndim != two.ndim:
        return False
    return np.array_equal(one, two[tuple(map(slice, one.shape))], equal_nan=one.dtype.kind in "fc")


def as_the_size(one: np.ndarray, two: np.ndarray, range_: tuple[int, int], size: Any, where: Any) -> Any:
    """Numbers that follow from the size, given those for the least and for the largest: multiples, or so much more.

    Raises:
      NotBounded: they are neither.
    """
    if one.shape != two.shape or one.dtype != two.dtype or two.dtype.kind not in "iuf":
        raise NotBounded("what is known is something else for another size")
    least, most = range_
    is_whole = two.dtype.kind in "iu"
    is_same = one == two
    is_more = two.astype(np.float64) - one == most - least
    is_multiple = one.astype(np.float64) * most == two.astype(np.float64) * least
    is_multiple &= (two % most == 0) if is_whole else True
    if not (is_same | is_multiple | is_more).all():
        raise NotBounded("a number depends on the size in another way")
    size = size.astype(two.dtype)
    multiples = size * (two // most if is_whole else two / most)
    return where(is_same, two, where(is_more, two - (most - size), multiples)).astype(two.dtype)


def whole(shape: Sequence[int]) -> Axes:
    """The axes of an array of a known shape."""
    return tuple([(n,) for n in shape])
