"""``Program``: how a session executes one plan, run after run."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from retrograd.ops import large_draws
from retrograd.ops.sharing import alone
from retrograd.run import costs, xla
from retrograd.run.bodies import Bodies, arrived
from retrograd.run.compiled import Compiled, Moved, Unmet, Unready
from retrograd.run.failures import not_fed
from retrograd.run.feeds import not_to_be_changed
from retrograd.run.interpreter import Interpreter
from retrograd.run.lowering import Lowered, NotLowered, shaping
from retrograd.run.plan import Loop, Plan
from retrograd.run.specialise import Facts, depends_on_shapes, facts_by_shape
from retrograd.run.splitting import Part, in_how_many, parts_of
from retrograd.run.store import Store
from retrograd.run.straight import NotStraight, Straight, is_of_numbers
from retrograd.run.whole_loops import WholeLoop, whole_loop

_KINDS_KEPT = 16  # kinds of feeds, by shape, that a plan is specialised for
_FEW_KINDS = 2  # beside one: batches of another size at the end of an epoch, and to validate
_RUNS_FIRST = 3  # runs with the same kind of feeds before specialising pays
_FEW = 3  # steps that are not worth compiling
_ESTIMATED = 2  # the run with which a plan's cost is estimated
_CAPACITY = 16  # iterations of a loop, if their number follows from values, that are kept for its gradient
_SOONEST = 3  # the run with which it may take over
_TO_COMPILE = 0.0015  # seconds for each op of a part, beside the interpreter's work
_MISSES = 16  # runs that break what a computation requires, before there is none
NEVER = 1 << 62

MODES = ("never", "auto", "always")


class Role(NamedTuple):
    """What a program runs, and how long its interpreter works before a computation takes over."""

    patience: float  # seconds of work, as estimated
    patience_of_step: float  # seconds more for each step, a quarter of what it takes to compile
    most: int  # runs, where these are more work than ``cheap``
    cheap: float = 0.0  # seconds of work, as estimated: less than it takes to import JAX
    waits: bool = True  # whether it gives arrays of NumPy, and not those of JAX that may not be there yet


WHOLE = Role(0.25, 0.0015, 200, 0.3)  # what many a tutorial runs some hundred times is not worth compiling
PART = Role(0.0, 0.0, 200)  # of a plan that was run often enough: compiled at once, and due when that may be done
BODY = Role(0.1, 0.004, 10_000, waits=False)  # of a loop, which a computation of the whole plan may replace


class Kind:
    """The runs of a plan with feeds of the same shapes, and of the same values where these shape results."""

    def __init__(self, takeover: float) -> None:
        self.runs = 0
        self.takeover = takeover  # the number of the run from which on a computation pays, if this is the only kind
        self.missed = 0  # of these, with a computation that was not to be used
        self.interpreter: Interpreter | None = None
        self.compiling: _Compiling | None = None
        self.compiled: Computation | None = None
        self.unknown: Facts | None = None  # while shapes are to be seen that follow from values


class Program:
    """A plan with the interpreters and computations made for it.

    The first runs with a kind of feeds walk the whole plan; later ones a form of it that was specialised for
    their shapes; and from a run that follows from the plan and the shapes alone, never from the clock, a
    computation that XLA has compiled meanwhile, or straight-line Python where that is faster.  What XLA
    cannot do stays interpreted: then the plan is run in parts.
    """

    def __init__(
        self, plan: Plan, store: Store, mode: str = "never", role: Role = WHOLE, pace: tuple[float, float] = (0.0, 1.0)
    ) -> None:
        """A program without runs.

        Args:
          mode: one of ``MODES``: when XLA computes.
          role: what the plan is of the whole that is run.
          pace: of a part, in seconds as estimated: until it is compiled, and for a run of the whole.
        """
        if plan.meetings:  # each member reads more than its op has inputs
            mode = "never"
        self.plan = plan
        self.store = store
        self.mode = mode
        if mode != "never":
            large_draws.allow(xla.start)
        self.role = role
        self.pace = pace
        self.elder: WholeLoop | None = None  # what may soon do more than the computations of this plan
        self.outer: Program | None = None  # of a loop's body, what runs the whole plan
        self.bodies = Bodies(plan, self._runner, self._whole) if plan.loop_of and mode != "never" else None
        self.general = Interpreter(plan, store, bodies=self.bodies)
        self.kinds: dict[Any, Kind] = {}
        self.longest = 0  # iterations of a loop that the interpreter has seen
        self.may_specialise = depends_on_shapes(plan)
        has_steps = len(self.general.steps) >= (_FEW if mode == "auto" else 1)
        self.pieces = in_how_many(plan) if mode != "never" and has_steps else 0
        self.may_compile = self.pieces > 0
        by_value = shaping(plan.ops, plan.feeds) if self.may_compile and plan.feeds else ()
        self.shaping = [i for i, t in enumerate(plan.feeds) if t in by_value]
        self.is_asked_again = False  # whether a session has found it a second time
        # the feeds of the last computed run, and what computed it
        self.hot: tuple[list[Any], Computation] | None = None
        self.parts: Parts | None = None  # where not all of the plan can be compiled

    def run(
        self,
        feeds: Sequence[Any],
        watched: Callable[[Interpreter], Interpreter] | None = None,
        deadline: float | None = None,
    ) -> list[Any]:
        """The values of the plan's fetches.

        Args:
          watched: gives the interpreter that runs in the place of another.
          deadline: when to give up, in monotonic seconds.

        Raises:
          InvalidArgumentError: a placeholder that they need is not fed.
          FailedPreconditionError: a variable that they need has no value.
        """
        if watched is None and deadline is None:
            again = self.run_again(feeds)
            if again is not None:
                return again
        if self.plan.unfed:
            self.general.check_variables()
            raise not_fed(self.plan.unfed[0])
        kind = self._kind(feeds) if self.may_compile or self.may_specialise else None
        is_unmet = False
        if kind is not None:
            kind.runs += 1
            if watched is None and deadline is None and self.may_compile:
                if kind.compiled is None:
                    self._advance(kind, feeds)
                if kind.compiled is not None:
                    try:
                        results = kind.compiled.run(feeds)
                        if not self.shaping and all(map(self._may_come_again, feeds)):
                            self.hot = ([(type(f), f.dtype, f.shape) for f in feeds], kind.compiled)
                        return results
                    except Unmet:  # the interpreter says what is wrong, if anything is
                        is_unmet = True
                    except Moved:
                        kind.compiled = _Compiling(partial(self._built, feeds, self.longest)).result()
        interpreter = self._interpreter(kind, feeds)
        if watched is None and kind is not None and kind.unknown is not None:
            watched = partial(Interpreter.watched, around=kind.unknown.seen)
        interpreter = watched(interpreter) if watched else interpreter
        feeds = feeds if self.role.waits else [*map(arrived, feeds)]
        with alone() if self._is_compiling(kind) else nullcontext():
            results = interpreter.run([*map(not_to_be_changed, feeds)], deadline)
        if kind is not None and is_unmet:  # and nothing was
            kind.missed += 1
            self.may_compile = kind.missed < _MISSES
        if interpreter.longest > self.longest:
            self.longest = interpreter.longest
            for each in self.kinds.values():  # loops go on longer than they were compiled for
                if isinstance(each.compiled, Compiled) and each.compiled.is_outgrown(self.longest):
                    each.compiled = each.compiling = None
        return results

    def _is_compiling(self, kind: Kind | None) -> bool:
        """Whether a computation is due: a fact of this run's number, not of the clock."""
        return kind is not None and self.may_compile and kind.compiling is not None and kind.compiled is None

    def run_again(self, feeds: Sequence[Any]) -> list[Any] | None:
        """What ``run`` gives, if a computation of the same kinds of arrays was the last to run; else None.

        ``feeds`` may be anything that a user feeds.
        """
        if self.hot is None:
            return None
        kinds, compiled = self.hot
        try:
            if kinds != [(type(f), f.dtype, f.shape) for f in feeds]:
                return None
        except AttributeError:
            return None
        try:
            return compiled.run(feeds)
        except (Unmet, Moved):
            self.hot = None  # the program knows what to do
            return None

    @property
    def _due(self) -> int:
        """The number of the run by which a part may have been compiled."""
        until, whole = self.pace
        return round(max(min(until / whole, self.role.most), _SOONEST))

    @property
    def is_about_to_compute(self) -> bool:
        """Whether one computation of the plan is made, for the only kind of feeds that there was."""
        return self.may_compile and len(self.kinds) == 1 and all(k.compiling is not None for k in self.kinds.values())

    @property
    def tier(self) -> str:
        """What does the runs by now, all or in part."""
        computations = [kind.compiled for kind in self.kinds.values() if kind.compiled is not None]
        if all(isinstance(c, Straight) for c in computations):
            return "Python" if computations else "interpreter"
        return "XLA"

    @property
    def compile_seconds(self) -> float:
        """How long it took to make the computations."""
        inner = sum(program.compile_seconds for _, program in self.parts.programs) if self.parts else 0.0
        return inner + sum(kind.compiling.seconds for kind in self.kinds.values() if kind.compiling)

    def _may_come_again(self, feed: Any) -> bool:
        """Whether nothing has to be done to an array of its kind before it is fed."""
        return not self.role.waits or (type(feed) is np.ndarray and feed.dtype.kind != "O")

    def _kind(self, feeds: Sequence[Any]) -> Kind | None:
        try:
            key: Any = tuple([f.shape for f in feeds])
        except AttributeError:
            key = tuple(map(np.shape, feeds))
        if self.shaping:
            key = (key, *[np.asarray(feeds[i]).tobytes() for i in self.shaping])
        kind = self.kinds.get(key)
        if kind is None and len(self.kinds) < _KINDS_KEPT:
            kind = self.kinds[key] = Kind(1 if self.mode == "always" else NEVER if self.role is not PART else self._due)
        return kind

    def _interpreter(self, kind: Kind | None, feeds: Sequence[Any]) -> Interpreter:
        if kind is None or not self.may_specialise or kind.runs <= _RUNS_FIRST:
            return self.general
        if kind.interpreter is None:
            facts = facts_by_shape(self.plan, tuple(map(np.shape, feeds)))
            kind.interpreter = Interpreter(self.plan, self.store, facts.known(), self.bodies)
        return kind.interpreter

    def _advance(self, kind: Kind, feeds: Sequence[Any]) -> None:
        """Do what is due with this run: estimate, begin to compile, take over."""
        if kind.runs == _ESTIMATED and self.mode == "auto":
            facts = self._facts(feeds)
            is_for_one = costs.is_for_one(self.plan, facts)
            if is_for_one or is_of_numbers(self.plan, facts):
                kind.compiled = self._straight(facts, of_arrays=is_for_one)
            if kind.compiled is not None:
                return
            if self.role is not PART:
                kind.takeover = self._takeover(facts)
                if kind.takeover > 2 * _ESTIMATED and not costs.is_certain(self.plan, facts):
                    kind.unknown = facts.of_shapes()
        elif kind.unknown is not None:
            kind.takeover, kind.unknown = min(kind.takeover, self._takeover(kind.unknown)), None
        if self.elder is not None and self.elder.keeps_bodies_waiting:
            return
        if self.outer is not None and self.outer.is_about_to_compute and kind.compiling is None:
            return
        takeover = kind.takeover * max(1, len(self.kinds) - _FEW_KINDS)  # of many kinds each comes seldom
        if self.mode == "auto":
            takeover = max(round(takeover), _SOONEST)
        is_only_part = self.role is PART and len(self.kinds) == 1 and kind.runs == _ESTIMATED
        if kind.compiling is None and (is_only_part or kind.runs * 2 >= takeover):
            kind.compiling = _Compiling(partial(self._built, feeds, self.longest))
        if kind.runs >= takeover and kind.compiling is not None:
            kind.compiled = kind.compiling.result()
            self.may_compile = kind.compiled is not None

    def _takeover(self, facts: Facts) -> float:
        """The number of the run from which on a computation pays."""
        steps: float = len(self.general.steps) + len(self.plan.loop_of)
        steps *= costs.share_to_compile(self.plan) if self.role.patience_of_step else 1
        patience = self.role.patience + self.role.patience_of_step * steps
        patience /= max(1, self.pieces)  # parts have patience of their own while they are compiled
        work = costs.seconds(self.plan, facts, self.longest or costs.ITERATIONS)
        return min(patience / work, max(self.role.most, self.role.cheap / work))

    def _facts(self, feeds: Sequence[Any]) -> Facts:
        """What follows from the shapes of ``feeds``, and from the values that their kind has."""
        values = {self.plan.feeds[i]: np.asarray(feeds[i]) for i in self.shaping}
        return facts_by_shape(self.plan, tuple(map(np.shape, feeds)), values)

    def _runner(self, body: Plan, whole: WholeLoop | None) -> Callable[[Sequence[Any]], list[Any]]:
        """What runs the body of a loop, which perhaps is computed as a ``whole``."""
        program = Program(body, self.store, self.mode, BODY)
        program.elder, program.outer = whole, self
        return program.run

    def _whole(self, loop: Loop) -> WholeLoop | None:
        """What computes a loop, if that can be."""
        assert self.bodies is not None

        def is_wanted() -> bool:
            return len(self.kinds) > 1 or not self.may_compile

        return whole_loop(self.plan, loop, self.store, is_wanted, _Compiling, self.bodies.whole)

    def _straight(self, facts: Facts, of_arrays: bool) -> Straight | None:
        with suppress(NotStraight):
            return Straight(Interpreter(self.plan, self.store, facts.known()), facts, of_arrays)
        return None

    def _built(self, feeds: Sequence[Any], longest: int) -> Compiled | Parts | None:
        """What runs in the interpreter's place; None if nothing can."""
        if self.parts is not None:
            return self.parts
        try:
            capacity = max(_CAPACITY, 1 << longest.bit_length())
            lowered = Lowered(self.plan, with_checks=True, capacity=capacity)
            xla.start()  # not before it is known that there is something to compute
            return Compiled(lowered, self.store, feeds, self.role.waits)
        except Unready:
            return None
        except NotLowered as obstacle:
            facts = self._facts(feeds)
            parts = parts_of(self.plan, obstacle.op, facts)
        if parts:
            begun, whole = self.pace if self.role is PART else (0.0, costs.seconds(self.plan, facts))
            self.parts = Parts(parts, self, begun, whole)
        return self.parts


class Parts:
    """A plan that runs in parts, one after the other: some by XLA, some by the interpreter."""

    def __init__(self, parts: Sequence[Part], whole: Program, begun: float, seconds: float) -> None:
        """Parts of ``whole``; a run of all takes so many ``seconds``, what is compiled before them ``begun``."""
        self.whole = whole
        # one part that writes, and behind all else, changes everything or nothing by itself
        self.may_leave_half = any(part.plan.writes for part in parts[:-1])
        self.programs = []
        for part in parts:
            mode = whole.mode if part.is_numeric else "never"
            begun += _TO_COMPILE * len(part.plan.ops) if part.is_numeric else 0.0
            self.programs.append((part, Program(part.plan, whole.store, mode, PART, (begun, seconds))))

    def run(self, feeds: Sequence[Any]) -> list[Any]:
        """The values of the plan's fetches.

        Raises:
          OpError: an op fails; every variable is then as it was before.
        """
        known = dict(zip(self.whole.plan.feeds, feeds, strict=True))
        with self.whole.store.transaction() if self.may_leave_half else nullcontext():
            for part, program in self.programs:
                results = program.run([known[t] for t in part.plan.feeds])
                known.update(zip(part.plan.fetches, results, strict=True))
        return [known[t] for t in self.whole.plan.fetches]


Computation = Compiled | Straight | Parts


class _Compiling:
    """A computation that is being made behind the runs."""

    def __init__(self, build: Callable[[], Compiled | Parts | None]) -> None:
        self.build = build
        self.made: Compiled | Parts | None = None
        self.failure: Exception | None = None
        self.seconds = 0.0  # that it took
        self.thread = threading.Thread(target=self._make, name="retrograd-compiling", daemon=True)
        _under_way.add(self)
        xla.keep_freed_memory()
        self.thread.start()

    def _make(self) -> None:
        with _one_at_a_time:
            begun = time.perf_counter()
            try:
                self.made = None if _ending.is_set() else self.build()
            except Exception as error:
                self.failure = error
            self.seconds = time.perf_counter() - begun
        _under_way.discard(self)

    def result(self) -> Compiled | Parts | None:
        """What was made; waits for it, and warns of what went wrong."""
        self.thread.join()
        if self.failure is not None:
            text = str(self.failure).strip().split("\n")[0]
            words = f"a plan stays interpreted: {type(self.failure).__name__}: {text}"
            warnings.warn(words, RuntimeWarning, stacklevel=2)
        return self.made


_one_at_a_time = threading.Lock()
_under_way: set[_Compiling] = set()
_ending = threading.Event()
_abandoned = threading.Event()


def is_compiling() -> bool:
    """Whether a computation is being made."""
    return bool(_under_way)


def abandon() -> None:
    """Let the end of the process wait for no computation; it has to end without taking Python down."""
    _abandoned.set()


def _end() -> None:
    """Begin no more computations, and wait for the one that is being made.

    A thread that comes back from C++ when Python is going down takes the process with it.
    """
    _ending.set()
    if getattr(sys, "last_type", None) is KeyboardInterrupt and not hasattr(sys, "ps1"):
        atexit.register(_leave_interrupted)
    elif not _abandoned.is_set():
        for compiling in list(_under_way):
            compiling.thread.join()


def _leave_interrupted() -> None:
    """End the process as Python does after Ctrl-C, without waiting for a computation that is still being made."""
    if is_compiling():
        atexit.unregister(_leave_interrupted)
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)


threading._register_atexit(_end)  # type: ignore[attr-defined]  # before JAX puts its own things away


def chosen_mode(config: Any = None) -> str:
    """The mode that a ``tf.ConfigProto`` asks for by its ``global_jit_level``, or else ``RETROGRAD_JIT``.

    Raises:
      ValueError: it is none of ``MODES``.
    """
    level = 0 if config is None else config.graph_options.optimizer_options.global_jit_level
    mode = os.environ.get("RETROGRAD_JIT", "auto") if not level else "never" if level < 0 else "always"
    if mode not in MODES:
        raise ValueError(f"RETROGRAD_JIT is {mode!r}, not one of {', '.join(MODES)}")
    return mode
