"""``retrograd explain``: runs a program, and says what its gradients did."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from retrograd.explain.explanation import Explanation

USAGE = """\
retrograd explain [--steps N] [--page FILE] SCRIPT.py [ARGS...]
retrograd explain [--steps N] [--page FILE] -m MODULE [ARGS...]

Runs the program, and then says of each derivative that it trained with what is wrong with the gradients, why, at
which line of the program, and what to type there; then how large values and gradients were at each line, and with
respect to each variable.  It speaks of the last run, or of the first in which something was nan or infinite.

  --steps N      end the program after N runs of a derivative; Ctrl-C ends it too
  --page FILE    write it as a page too: one file of HTML that needs no other
"""

_SHOWN = 4  # derivatives that are printed; a page has all


Run = Callable[[str, Sequence[str]], int]


def main(args: Sequence[str], run_path: Run, run_module: Run) -> int:
    """Carry out ``retrograd explain args``; the exit status of the program, which one of the functions runs."""
    rest, steps, page = list(args), None, None
    while rest and rest[0].startswith("-") and rest[0] != "-m":
        option = rest.pop(0)
        if option in ("-h", "--help"):
            sys.stdout.write(USAGE)
            return 0
        name, given, value = option.partition("=")
        if name not in ("--steps", "--page"):
            return _wrong(f"explain has no option {option!r}. To see what there is:  retrograd explain --help")
        if not given and not rest:
            example = "100" if name == "--steps" else "gradients.html"
            return _wrong(f"{name} needs a value:  retrograd explain {name} {example} SCRIPT.py")
        value = value if given else rest.pop(0)
        if name == "--page":
            page = value
        elif value.isdigit() and int(value):
            steps = int(value)
        else:
            return _wrong(f"--steps takes a number, as in  --steps 100, but got {value!r}")
    folder = os.path.dirname(os.path.abspath(page or ""))
    if not os.path.isdir(folder):
        return _wrong(f"--page: there is no folder {folder!r}")
    if not rest or rest == ["-m"]:
        return _wrong("explain needs a program:  retrograd explain SCRIPT.py [ARGS...]")
    if rest[0] == "-m":
        return _explained(lambda: run_module(rest[1], rest[2:]), steps, page)
    return _explained(lambda: run_path(rest[0], rest[1:]), steps, page)


def _explained(run: Callable[[], int], steps: int | None, page: str | None) -> int:
    from retrograd.explain.explanation import save
    from retrograd.explain.watching import Watch

    watch, status = Watch(steps), 1
    try:
        with watch.on():
            status = run()
    except SystemExit:
        status = 0
        if not watch.has_ended:
            raise
    finally:
        explanations = watch.explanations()
        if explanations:
            _tell(explanations)
        elif not status:
            print("retrograd explain: no derivative that tf.gradients built was run; those of tapes are not looked at")
        if explanations and page is not None:
            save(explanations, page)
            print(f"\nwritten to {page}")
    return status


def _tell(explanations: list[Explanation]) -> None:
    sys.stdout.flush()
    print("\n" + "\n\n".join(map(str, explanations[:_SHOWN])))
    if len(explanations) > _SHOWN:
        print(f"\n{len(explanations) - _SHOWN} more derivatives; all are on the page of  --page FILE")


def _wrong(message: str) -> int:
    print(f"retrograd: {message}", file=sys.stderr)
    return 2
