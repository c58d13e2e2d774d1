"""Reads programs without running them, and says what they use that is missing here."""

from __future__ import annotations

import ast
import json
import multiprocessing
import os
import signal
import sys
import time
import warnings
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from retrograd import names
from retrograd.hook import NEITHER, ROOTS, is_internal, public_modules
from retrograd.reasons import argument_meant, left_out, meant, symbols


@dataclass(frozen=True)
class Finding:
    """One thing that a program uses and that is missing."""

    file: str
    line: int
    symbol: str
    keyword: str | None = None
    why: str | None = None
    instead: str | None = None

    def __str__(self) -> str:
        what = f"{self.symbol}({self.keyword}=...)" if self.keyword else self.symbol
        text = f"{self.file}:{self.line}: {what} is missing"
        if self.why:
            text += f"\n  Why:   {self.why}"
        return text + (f"\n  Fix:   {self.instead}" if self.instead else "")


def main(arguments: list[str]) -> int:
    """Read the programs and folders that are named, and print what they miss; 1 if there is anything, else 0."""
    paths = [Path(a) for a in arguments if a != "--json"]
    absent = [str(path) for path in paths if not path.exists()]
    if absent:
        print(f"retrograd: no such file or folder: {', '.join(absent)}", file=sys.stderr)
        return 2
    files = [file for path in paths for file in programs(path)]
    as_json = "--json" in arguments
    findings: list[Finding] = []
    used: set[str] = set()
    with Progress(len(files), sys.stderr) as progress:
        for reading in readings_of(files):
            found = reading.findings
            findings += found
            used |= reading.used
            if found and not as_json:
                progress.clear()
                print(*found, sep="\n", flush=True)
            progress.step()
    missing = {(f.symbol, f.keyword) for f in findings}
    if as_json:
        counts = {"files": len(files), "used": len(used), "missing": len(missing)}
        print(json.dumps({**counts, "findings": [asdict(f) for f in findings]}, indent=2))
    else:
        print(_summary(len(files), len(used), len(missing), findings))
    return 1 if findings else 0


class Progress:
    """How many files are read, in one line of a terminal; nothing is written elsewhere."""

    def __init__(self, total: int, stream: TextIO) -> None:
        self._total, self._stream, self._done, self._told = total, stream, 0, 0.0
        self._is_shown = total > 1 and stream.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        self.clear()

    def step(self) -> None:
        """One more; the line is written ten times a second."""
        self._done += 1
        if self._is_shown and time.monotonic() - self._told > 0.1:
            self._told = time.monotonic()
            full = 30 * self._done // self._total
            bar = "#" * full + "." * (30 - full)
            print(f"\r[{bar}] {self._done} of {self._total} files", end="", file=self._stream, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._is_shown and self._told:
            print("\r\033[K", end="", file=self._stream, flush=True)
            self._told = 0.0


_WORTH_PROCESSES = 40


def readings_of(files: list[Path]) -> Iterator[Reading]:
    """Read the files, in their order; many by as many processes as there are processors."""
    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    # JAX's threads hold locks that a forked process would wait for.
    may_fork = "fork" in multiprocessing.get_all_start_methods() and "jax" not in sys.modules
    if len(files) < _WORTH_PROCESSES or workers == 1 or not may_fork:
        yield from map(Reading, files)
        return
    ignoring = (signal.SIGINT, signal.SIG_IGN)  # the first process is interrupted, and ends the others
    with multiprocessing.get_context("fork").Pool(workers, signal.signal, ignoring) as pool:
        yield from pool.imap(Reading, files, chunksize=8)


def _summary(files: int, used: int, missing: int, findings: list[Finding]) -> str:
    read = f"{files} file{'s' * (files != 1)} read, {used} name{'s' * (used != 1)} of TensorFlow used"
    if not findings:
        return f"{read}: all are here"
    return f"{read}: {missing} missing, in {len({f.file for f in findings})} of the files"


def programs(path: Path) -> list[Path]:
    """A file itself; of a folder, every Python file in it that is not hidden."""
    if path.is_file():
        return [path]
    inside = path.rglob("*.py")
    return sorted(
        f for f in inside if f.is_file() and not any(part.startswith(".") for part in f.relative_to(path).parts)
    )


class Reading:
    """What one program uses of TensorFlow, and what of that is missing."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.used: set[str] = set()
        self.findings: list[Finding] = []
        self._told: set[tuple[int, str]] = set()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of odd escapes in strings
                tree = ast.parse(file.read_bytes(), str(file))
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None) or 1
            why = f"not Python 3: {getattr(error, 'msg', error)}"
            self.findings.append(Finding(str(file), line, "this file", None, why, f"2to3 -w {file}"))
            return
        except (OSError, RecursionError, MemoryError) as error:
            why = f"it cannot be read: {error or 'its expressions are too deep'}"
            self.findings.append(Finding(str(file), 1, "this file", None, why))
            return
        nodes = list(_nodes_below(tree))
        self._aliases = dict(aliases(nodes))
        inner = {node.value for node in nodes if isinstance(node, ast.Attribute)} if self._aliases else set()
        for node in nodes if self._aliases else ():
            if isinstance(node, ast.ImportFrom) and node.module and _below_root(node.module) is not None:
                for alias in node.names:
                    if alias.name != "*":
                        self._use(f"{_below_root(node.module)}.{alias.name}".lstrip("."), node.lineno, True)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    below = _below_root(alias.name)
                    if below:
                        self._use(below, node.lineno, True)
            elif isinstance(node, ast.Attribute) and node not in inner:
                symbol = self._symbol(node)
                if symbol:
                    self._use(symbol, node.lineno)
            elif isinstance(node, ast.Call):
                self._call(node)
        self.findings.sort(key=lambda f: f.line)

    def _symbol(self, node: ast.AST) -> str | None:
        """The path below ``tensorflow`` that a dotted name leads to; None if it leads elsewhere."""
        return dotted(node, self._aliases)

    def _use(self, symbol: str, line: int, imported: bool = False) -> None:
        missing = first_missing(symbol, imported)
        if missing or isinstance(names.look_up(symbol), names.Object):
            self.used.add("tf." + (missing or symbol))
        if missing and (line, missing) not in self._told:
            self._told.add((line, missing))
            public = missing.removeprefix("compat.v1.")  # the same names, with few exceptions
            why, instead = left_out(public)
            if why is None:
                instead = _meant(public)
            self.findings.append(Finding(str(self.file), line, "tf." + missing, None, why or _reason(public), instead))

    def _call(self, node: ast.Call) -> None:
        symbol = self._symbol(node.func)
        found = names.look_up(symbol) if symbol else None
        signature = names.signature(found) if isinstance(found, names.Object) else None
        if symbol is None or signature is None or signature.takes_any:
            return
        for keyword in node.keywords:
            if keyword.arg is not None and keyword.arg not in signature.names:
                near = argument_meant(keyword.arg, signature.names)
                instead = f"{near}=..." if near else f"its arguments are {', '.join(sorted(signature.names))}"
                line = keyword.value.lineno
                self.findings.append(Finding(str(self.file), line, "tf." + symbol, keyword.arg, None, instead))


def _meant(missing: str) -> str | None:
    module, _, name = missing.rpartition(".")
    near = meant(name, names.names_in(module), is_known=name in symbols().get(module, ()))
    return near if near is None or near.startswith("tf.") else ".".join(filter(None, ("tf", module, near)))


def _below_root(module: str) -> str | None:
    """The path below ``tensorflow``; None for another package's module."""
    root, _, below = module.partition(".")
    return below if root in ROOTS else None


_TELLING = (ast.Import, ast.ImportFrom, ast.Assign, ast.Attribute, ast.Call)


def _nodes_below(tree: ast.AST) -> Iterator[ast.AST]:
    """The imports, assignments, dotted names and calls of a program, as ``ast.walk`` orders them."""
    pending: deque[Any] = deque([tree])
    while pending:
        node = pending.popleft()
        if isinstance(node, _TELLING):
            yield node
        for value in map(vars(node).get, node._fields):
            if isinstance(value, list):
                pending.extend(v for v in value if isinstance(v, ast.AST))
            elif isinstance(value, ast.AST):
                pending.append(value)


def aliases(nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    """Each name that stands for something of TensorFlow, with the path below ``tensorflow`` to it."""
    known: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                below = _below_root(alias.name)
                if below is not None:
                    known[alias.asname or alias.name.partition(".")[0]] = below if alias.asname else ""
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            below = _below_root(node.module)
            if below is not None:
                for alias in node.names:
                    known[alias.asname or alias.name] = f"{below}.{alias.name}".lstrip(".")
    changed = True
    while changed:  # names for names: `slim = tf.contrib.slim`, `arg_scope = slim.arg_scope`
        changed = False
        for node in nodes if known else ():
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                path = dotted(node.value, known) if isinstance(node.value, ast.Attribute) else None
                found = names.look_up(path) if path else None
                if path and isinstance(found, names.Module) and node.targets[0].id not in known:
                    known[node.targets[0].id] = path
                    changed = True
    yield from known.items()


def dotted(node: ast.AST, known: dict[str, str]) -> str | None:
    """``tf.nn.relu`` as ``nn.relu``; None for what does not begin with a name of TensorFlow's."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in known:
        return None
    return ".".join([*filter(None, [known[node.id]]), *reversed(parts)])


def first_missing(symbol: str, imported: bool = False) -> str | None:
    """The shortest beginning of a path that the faces do not hold; None if they hold the whole.

    A module of TensorFlow's insides that is not built can be imported all the same; only its names are missing.
    """
    parts = symbol.split(".")
    for i, part in enumerate(parts, 1):
        path = ".".join(parts[:i])
        if part.startswith("__") or names.look_up(path) is not None:
            continue
        if any(names.look_up(f"{module}.{part}") is not None for module in public_modules(".".join(parts[: i - 1]))):
            return None
        if is_internal(f"tensorflow.{path}"):
            if i == len(parts) and imported:
                return None
            continue
        return path
    return None if names.look_up(symbol) is not None or not is_internal(f"tensorflow.{symbol}") else symbol


def _reason(path: str) -> str:
    module, _, name = path.rpartition(".")
    if name not in symbols().get(module, (name,)):
        return NEITHER
    if module not in symbols() and module.startswith(("python.", "contrib.")):
        return "no public name of TensorFlow 1.15.5, which may not have it either"
    return "retrograd does not build it yet"
