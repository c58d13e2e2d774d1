"""``Compiled``: a plan as one XLA computation over a session's variables."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache
from itertools import starmap
from math import prod
from typing import Any

import numpy as np

from retrograd.ops.kept import Kept
from retrograd.ops.requirements import all_hold, required
from retrograd.ops.streams import Stream
from retrograd.run import xla
from retrograd.run.chains import done_once
from retrograd.run.equations import evaluate, multiplies, needed_for, value_of, values_at, variables_of
from retrograd.run.guards import guarded_results
from retrograd.run.held import array_kind
from retrograd.run.homes import Home, settle
from retrograd.run.in_place import in_place
from retrograd.run.libraries import compiler_options
from retrograd.run.lowered_recurrences import with_recurrences
from retrograd.run.lowering import GivenValue, Lowered, NotLowered
from retrograd.run.restacked import restacked
from retrograd.run.rolled import rolled
from retrograd.run.store import Cell, Store

_LARGE = 1 << 16  # bytes of a constant that is handed in, and not written into the computation
_COUNTER = np.dtype(np.uint32)
_MANY = 5  # small factors of products
_ALIGNMENT = 64  # bytes: XLA reads an array that begins at a multiple of it where it lies
_COPIED = range(1 << 14, 1 << 28)  # bytes of a feed for which a place is kept: XLA's own copy comes in another thread


class Unmet(Exception):
    """A run in which something that an op requires does not hold: it has changed nothing."""


class Moved(Exception):
    """A run that finds variables in other places, or of other shapes, than it was made for: it has changed nothing."""


class Unready(Exception):
    """A variable has no value yet, and so no shape."""


class Compiled:
    """``lowered`` for feeds of given shapes: ``(variables, counters, feeds) -> (variables, counters, fetches)``.

    The buffers of the variables that it writes are donated.  Where values break what an op requires, every
    variable and stream stays as it is.

    Raises:
      NotLowered: an op cannot be traced.
      Unready: a variable has no value yet.
    """

    def __init__(self, lowered: Lowered, store: Store, feeds: Sequence[Any], waits: bool = True) -> None:
        """``waits``: whether runs wait for what they give, and give arrays of NumPy."""
        self.store = store
        self.waits = waits
        self.lowered = lowered
        plan = lowered.plan
        read = {t for op in lowered.ops for t in op.inputs}.union(plan.fetches)
        self.traced_feeds = [i for i, t in enumerate(plan.feeds) if t in read and t not in lowered.static]
        self.traces_all = len(self.traced_feeds) == len(plan.feeds)
        self.feeds = [  # of those that are static the values, of the others the shapes
            v if t in lowered.static else array_kind(np.shape(v), np.asarray(v).dtype)
            for t, v in zip(plan.feeds, feeds, strict=True)
        ]
        self.cells, self.streams = lowered.cells(store), lowered.streams(store)  # one may come twice
        cells, streams = list(dict.fromkeys(self.cells)), list(dict.fromkeys(self.streams))
        for cell in cells:
            if not cell.is_initialized:
                raise Unready(cell.name)
        self.homes = settle([*cells, *streams], [*map(_dtype_of, cells), *[_COUNTER] * len(streams)], store.lock)
        self.members: list[Kept] = [m for home in self.homes for m in home.members]
        self.keys = np.stack([s.key for s in streams]) if streams else ()
        self.places = {  # of feeds that begin anywhere
            i: _aligned(kind.shape, kind.dtype)
            for i, kind in enumerate(self.feeds[i] for i in self.traced_feeds)
            if prod(kind.shape) * kind.dtype.itemsize in _COPIED
        }
        self._place_of = {m: i for i, m in enumerate(self.members)}
        self._key_of = {s: i for i, s in enumerate(streams)}
        self.has_run = False
        self._trace()

    # -- tracing -----------------------------------------------------------------------------------

    def _trace(self) -> None:
        from retrograd.ops.jax_start import jax

        feeds = [self.feeds[i] for i in self.traced_feeds]
        dims = [d for home in self.homes for d in home.dims]
        kinds = [home.dtype for home in self.homes for _ in home.members]
        values = [array_kind(d, k) for d, k in zip(dims, kinds, strict=True)]
        closed = jax.make_jaxpr(self._of_values)(values, self.keys, feeds)
        self.fixed: dict[int, Any] = self._fixed
        if self._conditions and self._by_rows:
            closed = self._allowing(closed, (values, self.keys, feeds))
        with_loops = rolled(closed)
        closed = with_recurrences(with_loops)
        if closed is not with_loops:
            xla.give_back_memory()  # what finding them has taken
        closed = restacked(closed)
        self.written = [h for h in self.homes if any(self._is_written[self._place_of[m]] for m in h.members)]
        self.read = [h for h in self.homes if h not in self.written]
        large = [i for i, c in enumerate(closed.consts) if getattr(c, "nbytes", 0) > _LARGE]
        self.once = done_once(closed.jaxpr)
        ones = [jax.device_put(np.float32(1))] if self.once else []
        self.fixed_arguments = [*ones, *(closed.consts[i] for i in large), *jax.tree.leaves(self.keys)]
        self.is_checked = bool(self._conditions)
        self.returns_nothing = len(self.fixed) == len(self.lowered.plan.fetches) and not self.is_checked
        self._call = self._compiled(closed, large, feeds)

    def _of_values(self, values: list[Any], keys: Any, feeds: list[Any], allowed: Any = None) -> tuple[Any, ...]:
        """New values of the members, the fetches that are not fixed, the conditions."""
        given: dict[Kept, Any] = {}
        for member, value in zip(self.members, values, strict=True):
            if isinstance(member, Cell):
                given[member] = GivenValue(value, member.name, allowed)
            elif member in self._key_of:
                given[member] = Stream(keys[self._key_of[member]], value)
        whole = list(self.feeds)
        for i, value in zip(self.traced_feeds, feeds, strict=True):
            whole[i] = value
        with required() as conditions:
            fetches = self.lowered(whole, [given[c] for c in self.cells], [given[s] for s in self.streams])
        new = [given[m].value if m in given else v for m, v in zip(self.members, values, strict=True)]
        self._is_written = [a is not b for a, b in zip(new, values, strict=True)]
        self._by_rows = any(isinstance(g, GivenValue) and g.has_changed_rows for g in given.values())
        self._fixed = {i: v for i, v in enumerate(fetches) if isinstance(v, np.ndarray | np.generic)}
        for tensor, value in zip(self.lowered.plan.fetches, fetches, strict=True):
            if not hasattr(value, "dtype"):
                raise NotLowered(tensor.op, "its value is no array")
        self._conditions = len(conditions)
        return new, [v for i, v in enumerate(fetches) if i not in self._fixed], all_hold(conditions)

    def _allowing(self, closed: Any, kinds: tuple[Any, ...]) -> Any:
        """``closed`` with rows of variables changed only where all conditions, its last result, hold."""
        from retrograd.ops.jax_start import jax

        asking = jax.make_jaxpr(self._of_values)(*kinds, array_kind((), np.dtype(bool)))
        jaxpr = asking.jaxpr
        *_, allowed = jaxpr.invars
        early = needed_for([jaxpr.outvars[-1]], jaxpr.eqns)

        def in_two_parts(*arguments: Any) -> list[Any]:
            values = values_at(jaxpr, asking.consts, [*jax.tree.leaves(arguments), None])
            for i in sorted(early):
                evaluate(jaxpr.eqns[i], values)
            values[allowed] = value_of(values, jaxpr.outvars[-1])
            for i, eqn in enumerate(jaxpr.eqns):
                if i not in early:
                    evaluate(eqn, values)
            return [value_of(values, v) for v in jaxpr.outvars]

        if any(v is allowed for i in early for v in jaxpr.eqns[i].invars):  # a condition is on what rows are then
            return jax.make_jaxpr(lambda v, k, f: self._of_values(v, k, f, self._all(closed, (v, k, f))))(*kinds)
        return jax.make_jaxpr(in_two_parts)(*kinds)

    def _all(self, closed: Any, arguments: tuple[Any, ...]) -> Any:
        """The last result of ``closed``."""
        from retrograd.ops.jax_start import jax

        jaxpr = closed.jaxpr
        values = values_at(jaxpr, closed.consts, jax.tree.leaves(arguments))
        for i in sorted(needed_for([jaxpr.outvars[-1]], jaxpr.eqns)):
            evaluate(jaxpr.eqns[i], values)
        return value_of(values, jaxpr.outvars[-1])

    def _compiled(self, closed: Any, large: list[int], feeds: list[Any]) -> Callable[..., Any]:
        from retrograd.ops.jax_start import jax, jnp

        count = len(self.members)
        guarded = [self.is_checked and (not self._by_rows or isinstance(m, Stream)) for m in self.members]
        consts = list(closed.consts)
        jaxpr, awaited = in_place(closed.jaxpr, [i for i, is_written in enumerate(self._is_written) if is_written])

        small = self._small_factors(jaxpr)

        def function(*arguments: Any) -> Any:
            rest = iter(arguments)
            buffers = {home: next(rest) for home in (*self.written, *self.read)}
            one = next(rest) if self.once else None
            for i in large:
                consts[i] = next(rest)
            old = [part for home in self.homes for part in home.parts(buffers[home])]
            factors = {
                jaxpr.invars[self._place_of[m]]: part
                for home, parts in small.items()
                for m, part in zip(parts, home.copies(buffers[home], parts), strict=True)
            }
            results = guarded_results(jaxpr, consts, [*old, *rest], guarded, self.once, one, awaited, factors)
            new, fetches, holds = results[:count], results[count:-1], results[-1]
            updated = []
            for home in self.written:
                parts = [new[self._place_of[m]] for m in home.members]
                updated.append(home.joined(jnp, parts))
            return (*updated, *fetches, *([holds] if self.is_checked else ()))

        homes = [array_kind(h.shape(), h.dtype) for h in (*self.written, *self.read)]
        options = compiler_options(closed.jaxpr)
        jitted = jax.jit(function, donate_argnums=range(len(self.written)), compiler_options=options)
        jitted.lower(*homes, *self.fixed_arguments, *feeds).compile()  # calls find it
        xla.give_back_memory()
        return jitted

    def _small_factors(self, jaxpr: Any) -> dict[Home, list[Kept]]:
        """The members of homes, several of each, that are factors of products; none where they are few.

        Each has to lie apart, which is a kernel to XLA.  Of many that can begin at once it wakes other threads for
        some, which takes longer than a small step.
        """
        multiplied = {v for eqn in jaxpr.eqns if multiplies(eqn) for v in variables_of(eqn)}
        found = {
            home: [m for m in home.members if jaxpr.invars[self._place_of[m]] in multiplied] for home in self.homes
        }
        found = {home: members for home, members in found.items() if len(home.members) > 1 and len(members) > 1}
        return found if sum(map(len, found.values())) >= _MANY else {}

    def is_outgrown(self, iterations: int) -> bool:
        """Whether a loop may go on for longer than what it keeps for its gradient."""
        return self.lowered.is_bounded and iterations > self.lowered.capacity

    # -- running -----------------------------------------------------------------------------------

    def run(self, feeds: Sequence[Any]) -> list[Any]:
        """The values of the plan's fetches.

        Raises:
          Unmet: a value breaks what an op requires; nothing is changed.
          Moved: a variable has another shape by now.
        """
        traced = [*feeds] if self.traces_all else [feeds[i] for i in self.traced_feeds]
        done: list[Any] = []
        with self.store.lock:
            for home in self.homes:
                if home.pending:
                    if home.is_left:
                        raise Moved
                    home.absorb()
            for i, place in self.places.items():
                if not _is_aligned(traced[i]):
                    place[...] = traced[i]
                    traced[i] = place
            buffers = [home.buffer for home in self.written]
            if self.store.is_in_transaction:
                self.store.journal += [(_Buffer(home), home.buffer) for home in self.written]
                buffers = _copies(buffers)
            buffers += [home.buffer for home in self.read]
            try:
                if self.has_run:
                    # one call of C, so that no interrupt comes between the computation and what it leaves
                    done.extend(starmap(self._call, ((*buffers, *self.fixed_arguments, *traced),)))
                else:
                    self._run_first(done, (*buffers, *self.fixed_arguments, *traced))
                self._take(done)
            except BaseException:
                self._take(done)
                raise
            if traced and done[0] and (self.returns_nothing or self.places):
                done[0][0].block_until_ready()  # then what was fed may change
        if self.returns_nothing and not self.fixed:
            return []
        results = done[0][len(self.written) :]
        results = [*map(np.asarray, results)] if self.waits else [*results]
        if self.is_checked and not results.pop():
            raise Unmet
        for i, value in self.fixed.items():
            results.insert(i, value)
        return results

    def _take(self, done: list[Any]) -> None:
        """Let the variables live in what the computation has left."""
        for results in done:
            for home, buffer in zip(self.written, results, strict=False):
                home.take(buffer)

    def _run_first(self, done: list[Any], arguments: Sequence[Any]) -> None:
        """The first call goes through JAX's Python: in another thread, since interrupts reach the main thread alone."""
        failures: list[BaseException] = []

        def call() -> None:
            try:
                done.append(self._call(*arguments))
            except BaseException as error:
                failures.append(error)

        thread = threading.Thread(target=call, name="retrograd-first-run")
        thread.start()
        try:
            thread.join()
        except BaseException:
            thread.join()
            raise
        if failures:
            raise failures[0]
        self.has_run = True


class _Buffer:
    """The buffer of a home as a place that can be given back what was there."""

    def __init__(self, home: Home) -> None:
        self.home = home

    @property
    def value(self) -> Any:
        """The buffer."""
        return self.home.buffer

    @value.setter
    def value(self, old: Any) -> None:
        self.home.take(old)


@cache
def _copying() -> Callable[..., list[Any]]:
    from retrograd.ops.jax_start import jax, jnp

    copies: Callable[..., list[Any]] = jax.jit(lambda *buffers: [jnp.copy(x) for x in buffers])
    return copies


def _copies(buffers: list[Any]) -> list[Any]:
    """Copies of ``buffers``, in one call."""
    return _copying()(*buffers) if buffers else []


def _aligned(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An array that begins at a multiple of the alignment."""
    size = prod(shape) * dtype.itemsize
    memory = np.empty(size + _ALIGNMENT, np.uint8)
    begin = -_address(memory) % _ALIGNMENT
    return memory[begin : begin + size].view(dtype).reshape(shape)


def _is_aligned(array: Any) -> bool:
    return type(array) is not np.ndarray or (array.flags.c_contiguous and not _address(array) % _ALIGNMENT)


def _address(array: np.ndarray) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def _dtype_of(cell: Cell) -> np.dtype:
    home = cell.home
    return home.dtype if isinstance(home, Home) else np.asarray(cell.value).dtype
