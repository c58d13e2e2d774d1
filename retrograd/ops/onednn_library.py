"""The oneDNN of the package ``onednn-cpu-gomp``, and what it does for a convolution or one of its gradients.

y[n, o, b] = sum over k and a of x[n, o * stride + k * dilation - before, a] * w[k, a, b]
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache
from importlib import metadata
from math import prod
from typing import Any, NamedTuple

from retrograd.ops.machine_code import runs_here

_PACKAGE = "onednn-cpu-gomp"
_CPU, _IN_ORDER, _USER_SCRATCHPAD, _FLOAT32, _ANY = 1, 1, 1, 3, 1
_SCRATCHPAD_MD, _ARGUMENT_MD = 136, 255  # what to ask a primitive for
_MANY_BYTES = 5 << 15  # fewer are laid out by one thread before others have woken
FORWARD, INFERENCE, BACKWARD = 64, 96, 128
SRC, DST, WEIGHTS, _SCRATCHPAD = 1, 17, 33, 80  # arguments
DIFF_SRC, DIFF_DST, DIFF_WEIGHTS = 129, 145, 161
ALIGNMENT = 64  # bytes

Handle = ctypes.c_void_p
Dims = tuple[int, ...]


# -- the library -------------------------------------------------------------------------------


class Library:
    """oneDNN's C interface, with an engine and a stream on the CPU."""

    def __init__(self, path: str) -> None:
        self.dnnl = ctypes.CDLL(path)
        self.process = os.getpid()  # one that is forked from it lacks the library's threads, and would wait for them
        self.held = ctypes.PyDLL(path)  # for calls that are too short to let other threads of Python run
        self.dnnl.dnnl_primitive_desc_query_md.restype = ctypes.c_void_p
        self.dnnl.dnnl_memory_desc_get_size.restype = ctypes.c_size_t
        self.engine = self.made("dnnl_engine_create", _CPU, ctypes.c_size_t(0))
        self.stream = self.made("dnnl_stream_create", self.engine, _IN_ORDER)
        self.attr = self.made("dnnl_primitive_attr_create")
        self.check(self.dnnl.dnnl_primitive_attr_set_scratchpad_mode(self.attr, _USER_SCRATCHPAD))

    def made(self, function: str, *args: Any) -> Handle:
        """The object that a function of the library makes."""
        result = Handle()
        self.check(getattr(self.dnnl, function)(ctypes.byref(result), *args))
        return result

    def check(self, status: int) -> None:
        """Raise what a status other than success means."""
        if status:
            raise NotImplementedError(f"oneDNN answers {status}")

    def of(self, primitive: Handle, what: int, place: int = 0) -> Handle:
        """A layout that a primitive has chosen."""
        return Handle(self.dnnl.dnnl_primitive_desc_query_md(primitive, what, place))

    def argument(self, primitive: Handle, which: int) -> Handle:
        """The layout that a primitive has chosen for an argument."""
        return self.of(primitive, _ARGUMENT_MD, which)

    def size(self, layout: Handle) -> int:
        """How many bytes an array takes."""
        return int(self.dnnl.dnnl_memory_desc_get_size(layout))

    @contextmanager
    def one_thread(self) -> Iterator[None]:
        """Let primitives that are made be for one thread."""
        threads = self.dnnl.omp_get_max_threads()
        self.dnnl.omp_set_num_threads(1)
        try:
            yield
        finally:
            self.dnnl.omp_set_num_threads(threads)

    def address(self, function: str) -> int:
        """Where a function of the library stands."""
        return ctypes.cast(getattr(self.dnnl, function), ctypes.c_void_p).value or 0


@cache
def library() -> Library | None:
    """The library where it is installed, and this is a system that the calls below are written for."""
    if not runs_here():
        return None
    # Its threads would spin for milliseconds after each call, on the cores that other threads need; and where they may
    # be fewer than it has asked for, it waits for the others for ever.
    settings = {"OMP_DYNAMIC": "false"}
    if not os.environ.keys() & {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"}:
        settings["GOMP_SPINCOUNT"] = "0"
    given = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        files = metadata.distribution(_PACKAGE).files or []
        path = next(f.locate() for f in files if f.name == "libdnnl.so.3")
        return Library(os.fspath(path))
    except (metadata.PackageNotFoundError, StopIteration, OSError, AttributeError, NotImplementedError):
        return None
    finally:
        for name, value in given.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


# -- calls -------------------------------------------------------------------------------------


class Argument(NamedTuple):
    """An array that a primitive reads or writes."""

    which: int
    layout: Handle
    buffer: tuple[str, int]  # ("argument" or "result", its index): the last result is memory to work in
    offset: int = 0


class Calls:
    """Primitives with their arguments, and how much memory they work in."""

    def __init__(self, dnnl: Library, results: int = 1) -> None:
        """``results``: how many arrays stand before the memory that they work in."""
        self.dnnl = dnnl
        self.calls: list[tuple[Handle, list[Argument]]] = []
        self.scratch = ALIGNMENT  # bytes
        self.memory = ("result", results)
        self._made: list[tuple[str, Handle]] = []

    def reserve(self, layout: Handle) -> int:
        """A place for an array in the memory that is worked in."""
        place = self.scratch - ALIGNMENT
        self.scratch += self.aligned(layout)
        return place

    def aligned(self, layout: Handle) -> int:
        """How many bytes an array takes, with those behind it that are left free."""
        return -(-self.dnnl.size(layout) // ALIGNMENT) * ALIGNMENT

    def add(self, form: Handle, *arguments: Argument) -> None:
        """Call a primitive of this form after those that are there."""
        work = self.dnnl.of(form, _SCRATCHPAD_MD)
        primitive = self._kept("primitive", self.dnnl.made("dnnl_primitive_create", form))
        self.calls.append((primitive, [*arguments, Argument(_SCRATCHPAD, work, self.memory, self.reserve(work))]))

    def reorder(self, given: Argument, wanted: Argument) -> None:
        """Bring an array from one layout into another."""
        engine, is_small = self.dnnl.engine, self.dnnl.size(given.layout) < _MANY_BYTES
        with self.dnnl.one_thread() if is_small else nullcontext():
            form = self.form(
                "dnnl_reorder_primitive_desc_create", given.layout, engine, wanted.layout, engine, self.dnnl.attr
            )
            self.add(form, given._replace(which=SRC), wanted._replace(which=DST))

    def layout(self, dims: Sequence[int], strides: Sequence[int] | None) -> Handle:
        """Where the elements of an array stand; without strides, where the library would have them."""
        how: tuple[Any, ...] = ("strides", numbers(strides)) if strides is not None else ("tag", _ANY)
        made = self.dnnl.made(f"dnnl_memory_desc_create_with_{how[0]}", len(dims), numbers(dims), _FLOAT32, how[1])
        return self._kept("memory_desc", made)

    def form(self, function: str, *args: Any) -> Handle:
        """What a primitive is made from.

        Raises:
          NotImplementedError: the library has none for such arrays.
        """
        return self._kept("primitive_desc", self.dnnl.made(function, *args))

    def _kept(self, what: str, made: Handle) -> Handle:
        self._made.append((f"dnnl_{what}_destroy", made))
        return made

    def __del__(self) -> None:
        for function, made in reversed(self._made):
            getattr(self.dnnl.dnnl, function)(made)


def numbers(values: Sequence[int]) -> Any:
    return (ctypes.c_int64 * len(values))(*values)


def channels_second(shape: Dims) -> tuple[list[int], list[int]]:
    """Dims and strides of channels-last images as oneDNN counts: batch, channels, sides."""
    batch, *sides, channels = shape
    strides = [channels * prod(sides[i + 1 :]) for i in range(len(sides))]
    return [batch, channels, *sides], [channels * prod(sides), 1, *strides]
