"""Names that later Pythons removed."""

from __future__ import annotations

import sys

from retrograd.revival.putting import otherwise, put, put_on_type, undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any


def revive_array(array: ModuleType) -> None:
    put_on_type(array.array, tostring=array.array.tobytes, fromstring=array.array.frombytes)


def revive_base64(base64: ModuleType) -> None:
    put(base64, encodestring=base64.encodebytes, decodestring=base64.decodebytes)


def revive_collections(collections: ModuleType) -> None:
    import _collections_abc as abc  # which is collections.abc, and loaded

    put(collections, **{name: getattr(abc, name) for name in abc.__all__})


def revive_fractions(fractions: ModuleType) -> None:
    def gcd(a: Any, b: Any) -> Any:
        """The greatest common divisor, with the sign of ``b`` if that is not 0."""
        while b:
            a, b = b, a % b
        return a

    put(fractions, gcd=gcd)


def revive_importlib(importlib: ModuleType) -> None:
    """``importlib.util`` behind ``import importlib``: older Pythons had it loaded when a program began."""

    def __getattr__(name: str) -> Any:
        if name not in ("abc", "machinery", "util"):
            raise AttributeError(f"module 'importlib' has no attribute {name!r}")
        return importlib.import_module(f"importlib.{name}")

    put(importlib, __getattr__=__getattr__)


def revive_inspect(inspect: ModuleType) -> None:
    from collections import namedtuple

    ArgSpec = namedtuple("ArgSpec", "args varargs keywords defaults")

    def getargspec(func: Callable[..., Any]) -> ArgSpec:
        """The arguments of a function that has neither keyword-only ones nor annotations.

        Those of this package do not count: TensorFlow's functions are without them.
        """
        full = inspect.getfullargspec(func)
        annotated = full.annotations and not str(getattr(func, "__module__", "")).startswith("retrograd.")
        if full.kwonlyargs or annotated:
            raise ValueError(
                "Function has keyword-only parameters or annotations, use getfullargspec() API which can support them"
            )
        return ArgSpec(full.args, full.varargs, full.varkw, full.defaults)

    put(inspect, ArgSpec=ArgSpec, getargspec=getargspec)


def revive_json(json: ModuleType) -> None:
    """``json.loads(text, encoding="utf-8")``, whose argument has done nothing since Python 3.1."""
    import functools

    def without(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            kwargs.pop("encoding", None)
            return function(*args, **kwargs)

        return called

    for name in ("load", "loads"):
        function = getattr(json, name)
        setattr(json, name, without(function))
        undo.append(lambda name=name, function=function: setattr(json, name, function))  # type: ignore[misc]


def revive_os(os: ModuleType) -> None:
    import errno

    put(os, errno=errno)


def revive_random(random: ModuleType) -> None:
    """``random.sample`` of a set, and ``random.shuffle`` with a source of its own."""
    from collections.abc import Set

    def sample(first: Any, error: str, population: Any, k: int, **kwargs: Any) -> Callable[[], Any] | None:
        return (lambda: first(tuple(population), k, **kwargs)) if isinstance(population, Set) else None

    def shuffle(first: Any, error: str, x: Any, source: Any = None) -> Callable[[], Any] | None:
        def shuffled() -> None:
            for i in reversed(range(1, len(x))):
                j = int(source() * (i + 1))
                x[i], x[j] = x[j], x[i]

        return None if source is None else shuffled

    otherwise(random, "sample", sample)
    otherwise(random, "shuffle", shuffle)


def revive_threading(threading: ModuleType) -> None:
    put(threading.Thread, isAlive=threading.Thread.is_alive)


def revive_time(time: ModuleType) -> None:
    put(time, clock=time.perf_counter if sys.platform == "win32" else time.process_time)


def revive_urllib(urllib: ModuleType) -> None:
    """``import urllib`` was enough for its modules: TensorFlow had imported them."""

    def found(name: str) -> ModuleType:
        if name in ("error", "parse", "request", "response"):
            from importlib import import_module

            return import_module(f"urllib.{name}")
        raise AttributeError(f"module 'urllib' has no attribute {name!r}")

    put(urllib, __getattr__=found)


def revive_multiprocessing(multiprocessing: ModuleType) -> None:
    """``multiprocessing.pool`` without an import of its own: TensorFlow had imported it."""

    def found(name: str) -> ModuleType:
        if name in ("pool", "dummy"):
            from importlib import import_module

            return import_module(f"multiprocessing.{name}")
        raise AttributeError(f"module 'multiprocessing' has no attribute {name!r}")

    put(multiprocessing, __getattr__=found)


def revive_unittest(case: ModuleType) -> None:
    test = case.TestCase
    put(
        test,
        assertEquals=test.assertEqual,
        assertNotEquals=test.assertNotEqual,
        assertAlmostEquals=test.assertAlmostEqual,
        assertNotAlmostEquals=test.assertNotAlmostEqual,
        assertRegexpMatches=test.assertRegex,
        assertNotRegexpMatches=test.assertNotRegex,
        assertRaisesRegexp=test.assertRaisesRegex,
        assert_=test.assertTrue,
    )
