"""Flags and ``tf.app.run``: TensorFlow's thin layer over absl."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from absl import flags
from absl.app import run as _run

flags.disclaim_key_flags()  # they are the program's

_OLD_NAMES = {"flag_name": "name", "default_value": "default", "docstring": "help"}


def _with_old_names(define: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(define)
    def defined(*args: Any, **kwargs: Any) -> Any:
        if kwargs.keys() & _OLD_NAMES.keys():
            from retrograd.graph import log

            log.warning(
                "Use of the keyword argument names (flag_name, default_value, docstring) is deprecated, "
                "please use (name, default, help) instead."
            )
        return define(*args, **{_OLD_NAMES.get(k, k): v for k, v in kwargs.items()})

    return defined


DEFINE_string = _with_old_names(flags.DEFINE_string)
DEFINE_boolean = _with_old_names(flags.DEFINE_boolean)
DEFINE_bool = DEFINE_boolean
DEFINE_float = _with_old_names(flags.DEFINE_float)
DEFINE_integer = _with_old_names(flags.DEFINE_integer)


class _FlagValues:
    """absl's flag values, parsed from the command line when one is first read."""

    def __init__(self, values: flags.FlagValues) -> None:
        self.__dict__["_values"] = values

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__["_values"]
        if not hasattr(type(values), name) and not values.is_parsed():
            values(sys.argv)
        return getattr(values, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__dict__["_values"], name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self.__dict__["_values"], name)

    def __str__(self) -> str:
        return str(self.__dict__["_values"])

    def __repr__(self) -> str:
        return repr(self.__dict__["_values"])

    def __dir__(self) -> list[str]:
        return dir(self.__dict__["_values"])

    def __getitem__(self, name: str) -> Any:
        return self.__dict__["_values"][name]

    def __setitem__(self, name: str, flag: Any) -> None:
        self.__dict__["_values"][name] = flag

    def __contains__(self, name: str) -> bool:
        return name in self.__dict__["_values"]

    def __len__(self) -> int:
        return len(self.__dict__["_values"])

    def __iter__(self) -> Any:
        return iter(self.__dict__["_values"])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__dict__["_values"](*args, **kwargs)


FLAGS: Any = _FlagValues(flags.FLAGS)


def run(main: Callable[..., Any] | None = None, argv: list[str] | None = None) -> NoReturn:
    """Parse the flags, call ``main(argv)`` and exit with what it returns.

    ``argv`` holds the program and what was no flag; unknown flags are left in it.  Without ``main``,
    the program's own function of that name is called.
    """
    main = main or sys.modules["__main__"].main  # type: ignore[attr-defined]

    def known_flags(args: list[str] | None) -> list[str]:
        return flags.FLAGS(sys.argv if args is None else args, known_only=True)

    _run(main=main, argv=argv, flags_parser=known_flags)
    raise AssertionError("absl exits")


def eager_run(main: Callable[..., Any] | None = None, argv: list[str] | None = None) -> NoReturn:
    """``run`` of a program whose ops run as they are called."""
    from retrograd.eager.context import enable_eager_execution

    enable_eager_execution()
    run(main, argv)
