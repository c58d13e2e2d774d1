"""Runs a program as ``__main__``, as the ``python`` command would, with ``import tensorflow`` answered.

Its ``sys.argv``, ``sys.path[0]``, ``__file__``, exit status and uncaught errors are the program's own.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType, TracebackType

TYPE_CHECKING = False  # typing itself would be a fifth of the start-up
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import CodeType
    from typing import Any

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_CHILDREN = _PACKAGE + "children"
_STDLIB = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
INTERRUPTED = 130  # what a shell reports for a program that SIGINT has ended


def run_path(script: str, args: Sequence[str] = ()) -> int:
    """Run the file ``script`` as ``python script args...`` would; the exit status."""
    try:
        with open(script, "rb") as file:
            source = file.read()
    except OSError as error:
        print(f"retrograd: can't open file {os.path.abspath(script)!r}: {_reason(error)}", file=sys.stderr)
        return 2
    from importlib.machinery import SourceFileLoader

    path = os.path.abspath(script)
    main = _main_module(__file__=path, __loader__=SourceFileLoader("__main__", path))
    _stand_in([script, *args], os.path.dirname(os.path.realpath(path)), main)
    return _run(main, lambda: compile(source, path, "exec", dont_inherit=True))


def run_module(name: str, args: Sequence[str] = ()) -> int:
    """Run the module ``name`` as ``python -m name args...`` would; the exit status."""
    main = _main_module()
    _stand_in(["-m", *args], os.getcwd(), main)

    def code() -> CodeType:
        spec = _runnable(name)
        sys.argv[0] = spec.origin
        main.__dict__.update(
            __file__=spec.origin,
            __cached__=spec.cached,
            __loader__=spec.loader,
            __spec__=spec,
            __package__=spec.parent,
        )
        compiled: CodeType | None = getattr(spec.loader, "get_code", lambda name: None)(spec.name)
        if compiled is None:
            raise _NotRunnable(f"{name!r} has no code to run")
        return compiled

    return _run(main, code)


def _main_module(**attributes: Any) -> ModuleType:
    module = ModuleType("__main__")
    module.__dict__.update(__builtins__=sys.modules["builtins"], **{"__cached__": None, **attributes})
    return module


def _stand_in(argv: list[str], folder: str, main: ModuleType) -> None:
    """Make the process look as if ``python`` had been started on the program."""
    sys.argv[:] = argv
    if not sys.flags.safe_path:
        sys.path[0] = folder
    sys.modules["__main__"] = main  # so that pickle and multiprocessing find the program's classes


class _NotRunnable(ImportError):
    pass


def _runnable(name: str) -> Any:
    """The spec of the module that ``-m name`` runs: of a package, its ``__main__``."""
    from importlib.util import find_spec

    try:
        spec = find_spec(name)
    except ModuleNotFoundError as error:
        if not f"{name}.".startswith(f"{error.name}."):
            raise  # what a package over it asked for
        raise _NotRunnable(str(error)) from error
    if spec is None:
        raise _NotRunnable(f"No module named {name}")
    if spec.submodule_search_locations is not None:
        try:
            return _runnable(f"{name}.__main__")
        except _NotRunnable:
            raise _NotRunnable(f"{name!r} is a package with no {name}.__main__ to run") from None
    return spec


def _run(main: ModuleType, code: Callable[[], CodeType]) -> int:
    from retrograd import hook

    hook.install()
    hook.after_import("threading", _watch_threads)
    _lead_children()
    _quiet()
    try:
        program = code()
    except _NotRunnable as error:
        print(f"retrograd: {error}", file=sys.stderr)
        return 1
    except SyntaxError as error:
        sys.excepthook(type(error), error.with_traceback(None), None)
        return 1
    except BaseException as error:
        return _failed(error)
    try:
        exec(program, main.__dict__)
    except BaseException as error:
        return _failed(error)
    return 0


def _failed(error: BaseException) -> int:
    """Print what ended the program; its exit status."""
    if isinstance(error, SystemExit):
        raise error  # Python itself turns its code into the exit status
    _for_the_user(error)
    sys.excepthook(type(error), error, error.__traceback__)
    return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1


def _quiet() -> None:
    """Leave out warnings that the program's own Python and NumPy did not give, unless they are asked for."""
    if sys.warnoptions:
        return
    import warnings

    for category in (DeprecationWarning, SyntaxWarning):  # np.trapz; "\\d", `x is 0`
        warnings.simplefilter("ignore", category)
    warnings.filterwarnings("ignore", ".* encountered in cast", RuntimeWarning)


def _lead_children() -> None:
    """Let every Python of this environment that the program starts read ``children/sitecustomize.py``."""
    os.environ["RETROGRAD_CHILDREN"] = sys.prefix
    folders = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if folders[0] != _CHILDREN:
        os.environ["PYTHONPATH"] = os.pathsep.join([_CHILDREN, *filter(None, folders)])


def in_child() -> None:
    """Let a Python that was started by a program run what it runs as the program itself is run."""
    from retrograd import hook

    hook.install()
    hook.after_import("threading", _watch_threads)
    _quiet()
    sys.excepthook = _report


def _report(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """Print an uncaught error with the program's frames alone."""
    _for_the_user(error)
    sys.__excepthook__(kind, error, error.__traceback__)


def _for_the_user(error: BaseException) -> None:
    """Make of an uncaught error what is printed: the program's frames, and what to type."""
    only_user_frames(error)
    if "retrograd.graph" in sys.modules:
        from retrograd.mistakes import explained

        explained(error)


def only_user_frames(error: BaseException) -> None:
    """Take retrograd's frames, and what they called in libraries, out of the tracebacks of ``error``.

    What a user's function does when retrograd calls it back stays. ``RETROGRAD_TRACEBACK=full`` keeps all.
    """
    if os.environ.get("RETROGRAD_TRACEBACK") == "full":
        return
    pending: list[BaseException | None] = [error]
    seen: set[int] = set()
    while pending:
        e = pending.pop()
        if e is None or id(e) in seen:
            continue
        seen.add(id(e))
        e.__traceback__ = _without_library(e.__traceback__)
        pending += [e.__cause__, e.__context__]
        if isinstance(e, BaseExceptionGroup):
            pending += e.exceptions


def _without_library(tb: TracebackType | None) -> TracebackType | None:
    kept: list[TracebackType] = []
    inside = False  # is the frame before retrograd's own, or a library's that retrograd called?
    while tb is not None:
        path = tb.tb_frame.f_code.co_filename
        inside = path.startswith(_PACKAGE) or (inside and _is_library(path))
        if not inside and not path.startswith("<frozen importlib"):
            kept.append(tb)
        tb = tb.tb_next
    link: TracebackType | None = None
    for tb in reversed(kept):
        link = TracebackType(link, tb.tb_frame, tb.tb_lasti, tb.tb_lineno)
    return link


def _is_library(path: str) -> bool:
    return (
        path.startswith((_STDLIB, "<frozen ", "<__array_function__ "))
        or f"{os.sep}site-packages{os.sep}" in path
        or f"{os.sep}dist-packages{os.sep}" in path
    )


def _watch_threads(threading: ModuleType) -> None:
    """Print errors that end a thread like those that end the program."""
    report = threading.excepthook

    def excepthook(args: Any) -> None:
        _for_the_user(args.exc_value)
        report(type(args)((args.exc_type, args.exc_value, args.exc_value.__traceback__, args.thread)))

    threading.excepthook = excepthook  # type: ignore[attr-defined]


def _reason(error: OSError) -> str:
    return f"[Errno {error.errno}] {error.strerror}"
