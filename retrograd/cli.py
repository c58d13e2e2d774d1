"""The ``retrograd`` command."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

HELP = """\
retrograd runs TensorFlow 1 programs, unchanged, on today's Python.

  retrograd run SCRIPT.py [ARGS...]    run a program as `python SCRIPT.py ARGS...` would
  retrograd run -m MODULE [ARGS...]    run a module as `python -m MODULE ARGS...` would
  retrograd run --profile SCRIPT.py    run it, and print where the time went
  retrograd explain SCRIPT.py [ARGS]   run it, and say what is wrong with its gradients, and where
  retrograd doctor PATH... [--json]    list what programs use that is not here
  retrograd export SOURCE FOLDER       write a trained model as a program of JAX beside its weights
  retrograd --version                  print the version
  retrograd --help                     print this page

In the program, `import tensorflow` and its submodules mean retrograd, even where a TensorFlow is
installed, and names that later Pythons and NumPys removed (np.float, time.clock, ...) are back.
In a notebook, two lines before the first import do the same:

  import retrograd
  retrograd.install()

Environment:
  RETROGRAD_JIT=never|auto|always    when XLA computes plans (auto: those that run often)
  RETROGRAD_CACHE=FOLDER|off  where compiled computations and modules are kept (~/.cache/retrograd)
  RETROGRAD_TRACEBACK=full    print tracebacks with retrograd's own frames
"""

COMMANDS = ("run", "explain", "doctor", "export")


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out the command line ``argv`` (without the program's name); the exit status.

    The arguments are read by hand: argparse alone would double the time that the command takes to start.
    """
    args = list(sys.argv[1:] if argv is None else argv)
    if args[:1] == ["run"]:
        status = _run(args[1:])
        if argv is None:
            _leave(status)
        return status
    if args[:1] == ["explain"]:
        return _explain(args[1:])
    if args[:1] == ["doctor"]:
        return _doctor(args[1:])
    if args[:1] == ["export"]:
        from retrograd.out import command

        return command.main(args[1:])
    if not args:
        sys.stderr.write(HELP)
        return 2
    if args[0] in ("-h", "--help", "help"):
        sys.stdout.write(HELP)
        return 0
    if args[0] in ("-V", "--version", "version"):
        from retrograd import __version__

        print(f"retrograd {__version__}")
        return 0
    return _wrong(_what_is_wrong(args))


def _leave(status: int) -> None:
    """End the process at once after Ctrl-C, or where a plan is still being compiled that nobody will run any more.

    Python would take everything apart, and a thread that comes back from C++ meanwhile ends it by a signal.
    """
    from retrograd.runner import INTERRUPTED

    program = sys.modules.get("retrograd.run.program")
    if program is None or not (status == INTERRUPTED or program.is_compiling()):
        return
    import atexit
    import os
    import threading

    program.abandon()
    threading._shutdown()  # type: ignore[attr-defined]  # what Python does as it ends: waits for threads,
    atexit._run_exitfuncs()  # calls what was registered,
    _flush_files()
    os._exit(status)


def _flush_files() -> None:
    """Bring what was written to open files to the disk, as Python does when it puts them away."""
    import gc
    import io
    from contextlib import suppress

    for kind in (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom):  # text goes through a buffer of bytes
        for file in [x for x in gc.get_objects() if type(x) is kind]:
            with suppress(OSError, ValueError):  # a full disk; closed, or open for reading
                file.flush()


def _run(args: list[str]) -> int:
    from retrograd import runner

    if args[:1] in (["-h"], ["--help"]):
        sys.stdout.write(HELP)
        return 0
    if args[:1] == ["--profile"]:
        from retrograd.run import profile

        profile.start()
        args = args[1:]
    if args[:1] == ["-m"]:
        if len(args) == 1:
            return _wrong("run -m needs the name of a module: retrograd run -m MODULE [ARGS...]")
        return runner.run_module(args[1], args[2:])
    if args[:1] == ["--"]:
        args = args[1:]
    elif args and args[0].startswith("-"):
        return _wrong(f"run has no option {args[0]!r}. Did you mean this?  retrograd run SCRIPT.py {args[0]}")
    if not args:
        return _wrong("run needs a program: retrograd run SCRIPT.py [ARGS...]")
    return runner.run_path(args[0], args[1:])


def _explain(args: list[str]) -> int:
    from retrograd import runner
    from retrograd.explain import command

    return command.main(args, runner.run_path, runner.run_module)


def _doctor(args: list[str]) -> int:
    if args[:1] in (["-h"], ["--help"]):
        sys.stdout.write(HELP)
        return 0
    wrong = [a for a in args if a.startswith("-") and a != "--json"]
    if wrong:
        return _wrong(f"doctor has no option {wrong[0]!r}. Did you mean this?  retrograd doctor --json PATH")
    if args in ([], ["--json"]):
        return _wrong("doctor needs a program or a folder: retrograd doctor PATH... [--json]")
    from retrograd import doctor, runner

    try:
        return doctor.main(args)
    except KeyboardInterrupt:
        return runner.INTERRUPTED


def _what_is_wrong(args: list[str]) -> str:
    from difflib import get_close_matches

    if args[0].endswith(".py"):
        return f"no command {args[0]!r}. Did you mean this?  retrograd run {' '.join(args)}"
    near = get_close_matches(args[0], [*COMMANDS, "--help", "--version"], n=1, cutoff=0.5)
    hint = f"Did you mean this?  retrograd {near[0]}" if near else "To see what there is:  retrograd --help"
    return f"no command {args[0]!r}. {hint}"


def _wrong(message: str) -> int:
    print(f"retrograd: {message}", file=sys.stderr)
    return 2
