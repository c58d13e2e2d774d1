"""Write the faces: for each module of TensorFlow, its names that the parts define.

usage: python tools/write_faces.py [--check | --report]

A definition of a part stands for the TensorFlow object that has its name (`range_` for `range`) in the
first module of FIRST that has one; every other name of that object, in any module, then leads to it.
RENAMED says what names alone cannot. Modules of HAND are written by hand.
"""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from faces_table import EMPTY, EXTRA, HAND, HIDDEN, LAZY, RENAMED, WITH_RAW_OPS, words

_LATER = sorted(path.stem for path in Path(__file__).parent.glob("faces_of_*.py"))
for _table in ("table_of_framework", "table_of_networks", "table_of_files", *_LATER):
    importlib.import_module(_table)

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "retrograd"
FACES = PACKAGE / "tf"
PARTS = words("""
    graph ops grad run ragged flow eager derivatives editing autograph state nn train data distribute io sessions
    contrib keras feature_column estimator explain testing command_line
""")

FIRST = words("""
    nn math linalg train random initializers errors strings debugging dtypes sparse nest sets bitwise manip
    quantization losses layers metrics test app flags logging compat io gfile data summary graph_util version
    spectral signal image queue lookup contrib.framework contrib.layers contrib.training contrib.util
    contrib.opt contrib.rnn contrib.losses contrib.metrics contrib.graph_editor contrib.lookup contrib.nn
    contrib.seq2seq contrib.legacy_seq2seq contrib.crf nn.rnn_cell distributions contrib.distributions
""")

# modules of what is composed from ops: no op stands for their names
COMPOSED = tuple(
    words("""
    losses layers metrics data sparse summary image queue lookup gfile io contrib nn.rnn_cell
""")
)

COMPOSED_INSIDE = tuple(
    "python." + name
    for name in words("""
    layers summary training lib ops.losses ops.metrics ops.image ops.sparse ops.rnn ops.lookup ops.sets
    ops.ctc ops.parsing ops.io_ops
""")
)


def definitions() -> dict[str, list[str]]:
    """name -> the modules of the parts that define it, in the order of the parts."""
    found: dict[str, list[str]] = defaultdict(list)
    for part in PARTS:
        paths = sorted((PACKAGE / part).rglob("*.py")) + [p for p in [PACKAGE / f"{part}.py"] if p.exists()]
        for path in paths:
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            try:
                tree = ast.parse(path.read_text())
            except (SyntaxError, OSError):
                continue
            for name in names_of(tree):
                found[name].append(module)
    return found


def names_of(tree: ast.Module) -> list[str]:
    """The names that a module's own statements define."""
    names = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                names += [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            names.append(node.target.id)
    shown = next(
        (n for n in tree.body if isinstance(n, ast.Assign) and getattr(n.targets[0], "id", "") == "__all__"), None
    )
    hidden = set(names) - set(ast.literal_eval(shown.value)) if shown and isinstance(shown.value, ast.List) else set()
    return [
        f"_{n}" if n in hidden and not n.startswith("_") else n for n in dict.fromkeys(names) if not n.startswith("__")
    ]


def recorded() -> dict[str, dict[str, str]]:
    """module -> name -> object."""
    rows: dict[str, dict[str, str]] = defaultdict(dict)
    for line in (ROOT / "tests" / "golden" / "names.tsv").read_text().splitlines():
        path, name, what = line.split("\t")
        rows[path][name] = f"tensorflow.{path}.{name}" if what == "=" else what
    return rows


def shown(name: str, modules: list[str]) -> list[str]:
    """Those of the modules whose ``name`` is TensorFlow's."""
    return [m for m in modules if (m, name) not in HIDDEN and (m, "*") not in HIDDEN]


def owners(rows: dict[str, dict[str, str]], defined: dict[str, list[str]]) -> dict[str, tuple[str, str]]:
    """object -> (module of a part, name) that stands for it."""
    inner = [p for p in rows if p.startswith("python.") and ".gen_" not in p]
    generated = [p for p in rows if ".gen_" in p]
    owner: dict[str, tuple[str, str]] = {}
    for name, modules in defined.items():
        modules = shown(name, modules)
        if name.startswith("_") or (name.isupper() and len(name) > 1) or not modules:
            continue
        theirs = name.rstrip("_")
        if ("*", theirs) in RENAMED:
            continue
        low = modules[0].split(".")[1] in ("graph", "ops", "grad", "run", "testing")
        sparse = modules[0].startswith("retrograd.ops.sparse")
        for path in ["", *FIRST]:
            if low and path.startswith(COMPOSED) and not (sparse and path == "sparse"):
                continue
            what = rows.get(path, {}).get(theirs, "(none)")
            if not what.startswith("("):
                owner.setdefault(what, (modules[0], name))
                break
        else:
            inside = [*inner, *generated] if low else inner
            for path in inside:
                if low and path.startswith(COMPOSED_INSIDE) and not (sparse and "sparse" in path):
                    continue
                what = rows[path].get(theirs, "")
                if what == f"tensorflow.{path}.{theirs}":
                    owner.setdefault(what, (modules[0], name))
    for (path, name), target in RENAMED.items():  # so the modules inside of Keras lead where the public names do
        what = rows.get(path, {}).get(name, "")
        if path.startswith("keras.") and what.startswith("tensorflow.python.keras.") and target:
            module, _, ours = target.partition(":")
            owner[what] = (module, ours or name)
    return {what: where for what, where in owner.items() if "<locals>" not in what}  # a name that wrappers share


def face(
    path: str, rows: dict[str, str], owner: dict[str, tuple[str, str]], defined: dict[str, list[str]]
) -> dict[str, tuple[str, str]]:
    """TensorFlow's name -> (module, name) for one module of TensorFlow."""
    names: dict[str, tuple[str, str]] = {}
    wanted = dict(rows)
    wanted.update({n: "(renamed)" for p, n in RENAMED if p == path})
    for name, what in wanted.items():
        renamed = RENAMED.get((path, name), RENAMED.get(("*", name)))
        if renamed is not None:
            if renamed:
                module, _, ours = renamed.partition(":")
                ours = ours or name
                if module in defined.get(ours, ()):
                    names[name] = (module, ours)
        elif what in owner:
            names[name] = owner[what]
        elif "DType)" in what and path in DTYPE_MODULES:
            names[name] = ("retrograd.graph.dtypes", name)
        elif what == f"tensorflow.{path}.{name}" and path.startswith("python.") and not name.startswith("_"):
            if ".gen_" in path:
                continue
            for ours in (name, name + "_"):
                modules = shown(ours, defined.get(ours, []))
                if modules:
                    names[name] = (modules[0], ours)
                    if "--report" in sys.argv:
                        print("by name:", path, name, modules)
                    break
    return names


def own(path: str, names: dict[str, tuple[str, str]], rows: dict[str, dict[str, str]]) -> bool:
    """Whether a module has names for its own sake, not only tools that it imports."""
    tools = ("tensorflow.python.util.", "tensorflow.python.framework.tensor_util.")
    return not path.startswith("python.") or any(
        not rows[path].get(n, "").startswith(tools) or rows[path].get(n) == f"tensorflow.{path}.{n}" for n in names
    )


DTYPE_MODULES = ("", "dtypes", "python.framework.dtypes", "compat.v2", "compat.v2.dtypes")


def source(path: str, names: dict[str, tuple[str, str]]) -> str:
    """The text of a face."""
    by_module: dict[str, list[str]] = defaultdict(list)
    for name, (module, ours) in sorted(names.items()):
        by_module[module].append(ours if ours == name else f"{ours} as {name}")
    title = ("tensorflow." + path).rstrip(".")
    lines = [f'"""The names of ``{title}``."""', ""]
    extra = EXTRA.get(path, "")
    by_module["retrograd.faces"].append("missing")
    for module, imports in sorted(by_module.items()):
        one = f"from {module} import {', '.join(imports)}"
        if len(one) <= 110:
            lines.append(one)
        else:
            lines += [f"from {module} import (", *(f"    {i}," for i in imports), ")"]
    lazy = LAZY.get(path)
    lines.append("")
    if extra:
        lines += [extra.strip(), ""]
    arguments = ["__name__"]
    if lazy:
        lines += ["_LAZY = {", *(f'    "{n}": "{m}",' for n, m in sorted(lazy.items())), "}"]
        arguments.append("_LAZY")
    if ".gen_" in path or path in WITH_RAW_OPS:
        arguments.append("raw=True")
    lines.append(f"__getattr__ = missing({', '.join(arguments)})")
    return "\n".join(lines) + "\n"


def file_of(path: str, packages: set[str]) -> Path:
    place = FACES.joinpath(*path.split(".")) if path else FACES
    return place / "__init__.py" if path in packages else place.with_suffix(".py")


def standing(path: Path) -> dict[str, tuple[str, str]]:
    """name -> (module, name of its own) in a face as it was written."""
    if not path.exists():
        return {}
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def taken_over(
    path: str, names: dict[str, tuple[str, str]], before: dict[str, tuple[str, str]], defined: dict[str, list[str]]
) -> list[str]:
    """What a face would say of names that lead elsewhere though what they led to is still there.

    Whoever means it says so: in RENAMED where the name shall lead, or in HIDDEN what it shall not lead to.
    """
    return [
        f"tensorflow.{path}".rstrip(".") + f".{name} is {old[0]}.{old[1]}; {new[0]}.{new[1]} would take its place:"
        " RENAMED or HIDDEN says which one is meant"
        for name, new in names.items()
        if (old := before.get(name, new)) != new
        and old[0] in shown(old[1], defined.get(old[1], []))
        and (path, name) not in RENAMED
        and ("*", name) not in RENAMED
    ]


def write(texts: dict[Path, str], check: bool) -> bool:
    """Format the faces and write those that changed, or with ``check`` only name them; whether any did."""
    changed = False
    with tempfile.TemporaryDirectory() as folder:
        for path, text in texts.items():
            draft = Path(folder) / path.relative_to(FACES)
            draft.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(text)
        ruff = [sys.executable, "-m", "ruff"]
        config = ["-q", "--config", str(ROOT / "pyproject.toml")]
        subprocess.run([*ruff, "check", "--select", "I", "--fix", *config, folder], check=True)
        subprocess.run([*ruff, "format", *config, folder], check=True)
        for path in FACES.rglob("*.py"):
            if path not in texts and "__getattr__ = missing(__name__" in path.read_text():
                changed = True
                print("removed", path.relative_to(ROOT))
                if not check:
                    path.unlink()
        for path in texts:
            text = (Path(folder) / path.relative_to(FACES)).read_text()
            if not path.exists() or path.read_text() != text:
                changed = True
                print("wrote", path.relative_to(ROOT))
                if not check:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text)
    return changed


def main() -> None:
    report, check = "--report" in sys.argv, "--check" in sys.argv
    defined, rows = definitions(), recorded()
    owner = owners(rows, defined)
    paths = dict.fromkeys([*rows, *(p for p, _ in RENAMED if p != "*")])
    faces = {path: face(path, rows.get(path, {}), owner, defined) for path in paths}
    for path, names in faces.items():  # what the second version shares with the first is where the first has it
        if path.split(".")[:2] == ["compat", "v2"]:
            first = path[len("compat.v2") :].lstrip(".")
            for name, where in faces.get(first, {}).items():
                if rows[first].get(name, "(none)") == rows.get(path, {}).get(name):
                    names.setdefault(name, where)
    for path, lazy in LAZY.items():  # a proto is itself, whatever else has its name
        faces[path] = {name: where for name, where in faces.get(path, {}).items() if name not in lazy}
    for path in [*LAZY, *EXTRA, *EMPTY]:
        faces.setdefault(path, {})
    faces.update({path: {} for path in rows if ".gen_" in path and path not in faces})
    faces = {p: n for p, n in faces.items() if own(p, n, rows) or not n or p in EMPTY}
    there = {*LAZY, *EXTRA, *EMPTY}
    keep = {p for p, names in faces.items() if (names or ".gen_" in p or p in there) and p not in HAND}
    packages = {"", "compat", "python.debug"}
    for path in keep | HAND:
        parts = path.split(".")
        packages.update(".".join(parts[:i]) for i in range(1, len(parts)))
    used, texts, refused = set(), {}, []
    for path in sorted(keep | packages):
        if path in HAND:
            continue
        names = faces.get(path, {})
        used.update(names.values())
        text = source(path, names)
        target = file_of(path, packages)
        texts[target] = text
        refused += taken_over(path, names, standing(target), defined)
    if refused:
        sys.exit("\n".join(refused))
    changed = write(texts, check)
    aside = ("python", "keras", "contrib.slim")
    public = {
        name
        for path, names in rows.items()
        if not path.startswith(aside)
        for name, what in names.items()
        if what != "(module)"
    }
    left = []
    reached = {n for path, names in faces.items() if not path.startswith("python.") for n in names}
    for name, modules in sorted(defined.items()):
        ours = shown(name, modules)
        if name.rstrip("_") in public - reached and ours and not any((m, name) in used for m in ours):
            left.append(f"{ours[0]}.{name} is in no face")
    if check or report:
        print("\n".join(left), end="\n" if left else "")
    if check:
        sys.exit(bool(changed or left))


if __name__ == "__main__":
    main()
