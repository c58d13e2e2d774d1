"""Run the programs of a folder outside of the project, and say which pass, why others do not, and how long they take.

usage: python tools/run_programs.py FOLDER [--peer PYTHON] [--only TEXT]... [--limit SECONDS] [--jobs N]

A program is a file that imports TensorFlow, itself or through a file beside it, and does something when run.
FOLDER/programs.txt may list them instead, one a line: a path below FOLDER, then arguments. Each is run
unchanged, in its own folder within a fresh copy of the tree that stands in FOLDER; a training that is still
well at the time limit has passed. With --peer the same programs run under another interpreter, such as
one that has TensorFlow 1.15.5, and the numbers that both print are compared.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?(?![\w.])")
IMPORTS = re.compile(r"^\s*(?:import|from)\s+tensorflow\b", re.MULTILINE)


@dataclass
class Outcome:
    passed: bool
    seconds: float
    why: str = ""
    printed: str = ""
    noise: int = 0  # lines on stderr of a program that passed


# -- which programs ----------------------------------------------------------------------------


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def does_something(text: str) -> bool:
    """Whether a module does more than define names; one that no longer parses is left to the interpreter."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return "__main__" in text
    calls = (s for s in body if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call))
    return any(isinstance(s, ast.If | ast.With | ast.For | ast.While) for s in body) or any(calls)


def uses_tensorflow(path: Path, text: str) -> bool:
    if IMPORTS.search(text):
        return True
    beside = [path.parent / f"{name}.py" for name in re.findall(r"^(?:from|import)\s+(\w+)", text, re.MULTILINE)]
    return any(IMPORTS.search(text_of(other)) for other in beside if other.is_file())


def programs_of(folder: Path, only: list[str]) -> list[list[str]]:
    """Path and arguments of each program, below the folder."""
    listed = folder / "programs.txt"
    if listed.exists():
        found = [shlex.split(line, comments=True) for line in listed.read_text().splitlines()]
        found = [program for program in found if program]
    else:
        found = []
        trees = [tree for tree in folder.iterdir() if tree.name != ".runs"]
        files = [path for tree in trees for path in (tree.rglob("*.py") if tree.is_dir() else [tree])]
        for path in sorted(path for path in files if path.suffix == ".py"):
            text = text_of(path)
            if does_something(text) and uses_tensorflow(path, text):
                found.append([str(path.relative_to(folder))])
    return [program for program in found if not only or any(text in program[0] for text in only)]


# -- one run -----------------------------------------------------------------------------------


def run(command: list[str], program: list[str], folder: Path, place: Path, site: str | None, limit: float) -> Outcome:
    """What comes of ``program`` in a tree of its own below ``place``."""
    tree = Path(program[0]).parts[0]
    shutil.rmtree(place, ignore_errors=True)
    if (folder / tree).is_dir():
        shutil.copytree(folder / tree, place / tree, copy_function=os.link, symlinks=True)
    else:
        shutil.copytree(folder, place, copy_function=os.link, ignore=shutil.ignore_patterns(".runs"))
    path = place / program[0]
    environment = {**os.environ, "MPLBACKEND": "Agg", "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONUNBUFFERED": "1"}
    if site:
        environment["PYTHONPATH"] = site
    log = place.with_suffix(".log")
    began = time.monotonic()
    with open(log, "w") as out, open(log.with_suffix(".err"), "w") as err:
        process = subprocess.Popen(
            [*command, path.name, *program[1:]], cwd=path.parent, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            env=environment, start_new_session=True,
        )  # fmt: skip
        try:
            status: int | None = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    seconds = time.monotonic() - began
    errors, printed = text_of(log.with_suffix(".err")), text_of(log)
    shutil.rmtree(place, ignore_errors=True)
    lines = [line for line in errors.splitlines() if line.strip()]
    if status == 0 or (status is None and "Traceback (most recent call last)" not in errors):
        return Outcome(True, seconds, "" if status == 0 else "cut", printed, len(lines))
    return Outcome(False, seconds, reason(lines, status), printed)


def reason(lines: list[str], status: int | None) -> str:
    """The error that ended a program: the first line behind the last traceback that is not part of it."""
    starts = [i for i, line in enumerate(lines) if line.startswith("Traceback (most recent call last)")]
    behind = lines[starts[-1] + 1 :] if starts else lines[-1:]
    named = [line for line in behind if not line.startswith(" ")]
    return (named or [f"exit status {status}"])[0][:160]


def compared(ours: str, theirs: str) -> str:
    """How many of the numbers that both printed agree to three digits."""
    pairs = list(zip(NUMBER.findall(ours), NUMBER.findall(theirs), strict=False))
    if not pairs:
        return "-"
    near = sum(abs(float(a) - float(b)) <= 1e-3 * max(abs(float(a)), abs(float(b))) + 1e-6 for a, b in pairs)
    return f"{near}/{len(pairs)}"


# -- the table ---------------------------------------------------------------------------------


def row(program: list[str], ours: Outcome, peer: Outcome | None) -> str:
    note = ours.why or (f"{ours.noise} lines on stderr" if ours.noise else "")
    cells = ["passed" if ours.passed else "FAILED", f"{ours.seconds:7.1f}"]
    if peer is not None:
        cells += [
            "passed" if peer.passed else "FAILED",
            f"{peer.seconds:7.1f}",
            f"{compared(ours.printed, peer.printed):>9}",
        ]
        note += "" if peer.passed else f"   [peer: {peer.why}]"
    return "  ".join([*cells, " ".join(program), note])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--peer", metavar="PYTHON", help="an interpreter to run them under too")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="paths that contain this")
    parser.add_argument("--limit", type=float, default=60.0, metavar="SECONDS", help="of each run")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument("--site", metavar="PATH", help="PYTHONPATH of the programs")
    parser.add_argument("--peer-site", metavar="PATH", help="PYTHONPATH under the other interpreter")
    options = parser.parse_args()
    folder = options.folder.resolve()
    programs = programs_of(folder, options.only)
    (folder / ".runs").mkdir(exist_ok=True)

    def both(numbered: tuple[int, list[str]]) -> tuple[Outcome, Outcome | None]:
        _, program = numbered
        place = folder / ".runs" / re.sub(r"\W+", "_", " ".join(program))[-150:]
        own = [str(Path(sys.executable).with_name("retrograd")), "run"]
        ours = run(own, program, folder, place, options.site, options.limit)
        if not options.peer:
            return ours, None
        there = place.with_name(place.name + "_peer")
        peer = run([options.peer, "-W", "ignore"], program, folder, there, options.peer_site, options.limit)
        return ours, peer

    passed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for program, (ours, peer) in zip(programs, pool.map(both, enumerate(programs)), strict=True):
            passed += ours.passed
            print(row(program, ours, peer), flush=True)
    print(f"{passed} of {len(programs)} passed")
    return int(passed < len(programs))


if __name__ == "__main__":
    sys.exit(main())
