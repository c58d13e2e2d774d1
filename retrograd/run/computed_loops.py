"""A loop as one XLA computation: traced for sizes, or for a range of one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from retrograd.graph.tensor import Tensor
from retrograd.ops.any_size import for_any_size
from retrograd.ops.dense_elements import Cleared, DenseArray, DenseElements
from retrograd.ops.streams import Stream
from retrograd.run import xla
from retrograd.run.bounded import NotBounded, Value, Walk
from retrograd.run.bounded_rules import RULES
from retrograd.run.equations import needed_for
from retrograd.run.held import array_kind, is_array, is_known, leaves, traced, with_leaves
from retrograd.run.histories import Same, Stack, Steps, of_size
from retrograd.run.libraries import compiler_options
from retrograd.run.loop_arguments import Given, fitted
from retrograd.run.lowering import Lowered, NotLowered
from retrograd.run.varying import Sizes, bounds


class Unlike(Exception):
    """A run breaks what the computation of a loop requires: it has changed nothing."""


class SizeRange(NamedTuple):
    """Sizes that one computation is for: ``places`` of ``sizes`` have its bound, and ``size`` in this run."""

    sizes: tuple[int, ...]
    places: frozenset[int]
    size: int

    @staticmethod
    def of(known: Sizes, sizes: tuple[int, ...]) -> SizeRange:
        """What the sizes of a run belong to."""
        found = known.varying(sizes)
        if found is None:
            return SizeRange(sizes, frozenset(), 0)
        size, places = found
        range_ = SizeRange(sizes, places, size)
        return range_._replace(sizes=range_.with_all(bounds(size)[1]))

    def with_all(self, size: int) -> tuple[int, ...]:
        """The sizes, with this one in the places of that which varies."""
        return tuple([size if i in self.places else n for i, n in enumerate(self.sizes)])


class _Trace:
    """A loop traced for given sizes."""

    def __init__(self, lowered: Lowered, own: list[Stream], arguments: Sequence[Given], sizes: Sequence[int]) -> None:
        from retrograd.ops.jax_start import jax

        rest = [*sizes]
        made = [a.made([rest.pop(0) for _ in a.sizes]) for a in arguments]

        def function(arrays: list[Any]) -> list[Any]:
            left = [*arrays]
            values = [held(left) for _, held in made]
            places = [p for p in map(_cleared_in, values) if p is not None]
            results = lowered(values, (), own, places)
            return [*results, *[p.value for p in places]]

        self.counts = [len(kinds) for kinds, _ in made]
        self.kinds = [kind for kinds, _ in made for kind in kinds]
        self.trace = traced(function, self.kinds, own, own)
        self.shapes = [*self.kinds, *[array_kind(s.value.shape, s.value.dtype) for s in own]]
        self.closed = jax.make_jaxpr(lambda *arrays: self.trace(arrays))(*self.shapes)


class ComputedLoop:
    """A loop as one XLA computation, for values of given kinds and sizes.

    Raises:
      NotLowered: an op cannot be traced.
      NotBounded: it cannot be computed for all sizes of the range.
    """

    def __init__(
        self,
        lowered: Lowered,
        streams: Sequence[Stream],
        arguments: Sequence[Given],
        origins: Mapping[Tensor, Any],
        range_: SizeRange,
    ) -> None:
        from retrograd.ops.jax_start import jax

        self.streams = streams
        own = [Stream(s.key, np.zeros_like(s.value)) for s in streams]
        with for_any_size(bool(range_.places)):
            most = _Trace(lowered, own, arguments, range_.sizes)
        trace, jaxpr, self.kinds, self.counts = most.trace, most.closed.jaxpr, most.kinds, most.counts
        for value, tensor in zip(trace.results, lowered.plan.fetches, strict=False):
            if not _can_leave(tensor, value, origins[tensor]):
                raise NotLowered(tensor.op, "what leaves its loop is no array")
        if range_.places and any(before for value in trace.results for _, before in path_of(value)):
            raise NotBounded("an array of gradients has dimensions of its own")
        self.results: Callable[[int], list[Any]] = lambda size: trace.results
        self.fetched = len(lowered.plan.fetches)
        self.is_checked = trace.checks
        read = {v for i in needed_for(jaxpr.outvars, jaxpr.eqns) for v in jaxpr.eqns[i].invars if not hasattr(v, "val")}
        read.update(v for v in jaxpr.outvars if not hasattr(v, "val"))
        self.read = [v in read for v in jaxpr.invars[: len(self.kinds)]]
        self.ends: list[list[int]] = []  # for each array that it makes, the axes of the size that varies
        function: Callable[[Any, list[Any]], list[Any]] = lambda size, arrays: trace(arrays)  # noqa: E731
        if range_.places:
            function = self._of_any_size(lowered, own, arguments, range_, most)
        blank = [None if is_read else np.zeros(k.shape, k.dtype) for k, is_read in self._kinds_read()]

        def of_read(size: Any, *arrays: Any) -> list[Any]:
            rest = iter(arrays)
            return function(size, [next(rest) if b is None else b for b in blank] + [*rest])

        self._call = jax.jit(of_read, compiler_options=compiler_options(jaxpr))
        given_ = [k for k, is_read in self._kinds_read() if is_read] + most.shapes[len(self.kinds) :]
        self._call.lower(array_kind((), np.dtype(np.int32)), *given_).compile()
        xla.give_back_memory()

    def _kinds_read(self) -> list[tuple[Any, bool]]:
        return [*zip(self.kinds, self.read, strict=True)]

    def _of_any_size(
        self, lowered: Lowered, own: list[Stream], arguments: Sequence[Given], range_: SizeRange, most: _Trace
    ) -> Callable[[Any, list[Any]], list[Any]]:
        """The function of the size and of the arrays, which are as long as the bound."""
        ends = bounds(range_.size)
        with for_any_size(True):
            least = _Trace(lowered, own, arguments, range_.with_all(ends[0]))

        def results(size: int) -> list[Any]:
            pairs = zip(least.trace.results, most.trace.results, strict=True)
            return [of_size(*pair, ends, np.int32(size)) for pair in pairs]

        results(range_.size)
        self.results = cache(results)
        is_padded = [a.ends_in_zeros for a, n in zip(arguments, most.counts, strict=True) for _ in range(n)]
        is_padded += [True] * len(own)

        def function(size: Any, arrays: list[Any]) -> list[Any]:
            walk = Walk(RULES, *ends, size)
            axes = [tuple(map(walk.axis, x.shape, y.shape)) for x, y in zip(least.shapes, most.shapes, strict=True)]
            values = [Value(*each) for each in zip(arrays, axes, is_padded, strict=True)]
            found = walk.through(least.closed, most.closed, values)
            self.ends = [[i for i, axis in enumerate(v.axes) if axis == (None,)] for v in found]
            if any(None in axis and len(axis) > 1 for v in found for axis in v.axes):
                raise NotBounded("an axis of a result is a multiple of the size")
            return [v.array for v in found]

        return function

    def run(self, arguments: Sequence[Given], size: int) -> tuple[list[tuple[Any, Any]], list[Any]]:
        """The values of the fetches, as they are held on the device, and what was read of arrays that clear it.

        With each value are the sizes of those axes that are shorter than they are held.

        Raises:
          Unlike: something that an op requires does not hold.
        """
        arrays: list[Any] = []
        first = 0
        for argument, count in zip(arguments, self.counts, strict=True):
            is_read, kinds = self.read[first : first + count], self.kinds[first : first + count]
            if any(is_read):
                pairs = zip(argument.arrays(), kinds, is_read, strict=True)
                arrays += [fitted(x, kind.shape) for x, kind, r in pairs if r]
            first += count
        done = self._call(np.int32(size), *arrays, *[s.value for s in self.streams])
        if self.is_checked and not done.pop():
            raise Unlike
        for stream, value in zip(reversed(self.streams), [done.pop() for _ in self.streams], strict=True):
            stream.value = np.asarray(value)
        ends = iter(self.ends)
        results = []
        for like in self.results(size):
            axes = [*enumerate(islice(ends, len(leaves(like))))]
            results.append((with_leaves(like, done), {(i, axis): size for i, found in axes for axis in found}))
        return results[: self.fetched], [value for value, _ in results[self.fetched :]]


def _can_leave(tensor: Tensor, value: Any, origin: Tensor | None) -> bool:
    """Whether the interpreter has a form for what leaves a loop; what not all iterations keep is recalled alone."""
    if isinstance(value, Stack):
        is_recalled = all(op.type == "LoopRecall" for op in tensor.readers)
        return (value.is_whole or is_recalled) and _can_be_kept(value.like)
    if isinstance(value, Same):
        is_passed_on = isinstance(value.value, DenseElements) and origin is not None
        return _can_be_kept(value.value) or isinstance(value.value, DenseArray) or is_passed_on
    return is_array(value) or is_known(value) or isinstance(value, DenseElements | Steps)


def _can_be_kept(value: Any) -> bool:
    if isinstance(value, Stack | Same):
        return _can_be_kept(value.like if isinstance(value, Stack) else value.value)
    return is_array(value) or is_known(value) or isinstance(value, Steps)


def _cleared_in(value: Any) -> Cleared | None:
    array = value.value if isinstance(value, Same) else value
    return array.cleared if isinstance(array, DenseArray) else None


def path_of(value: Any) -> Sequence[tuple[str, tuple[int, ...]]]:
    """Of which derivative an array is that every iteration has kept."""
    return value.value.path if isinstance(value, Same) and isinstance(value.value, DenseArray) else ()
