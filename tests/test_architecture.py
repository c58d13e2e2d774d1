"""The parts import only what stands above them in the table of docs/ARCHITECTURE.md."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "retrograd"
TEXT = (ROOT / "docs" / "ARCHITECTURE.md").read_text()


def parts() -> list[str]:
    """The parts in the order of the table."""
    return re.findall(r"^\| `([a-z_]+)(?:/|\.py)` \|", TEXT, re.MULTILINE)


def imported(path: Path) -> set[str]:
    """The parts that a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name.split(".")[1] for name in names if name.startswith("retrograd.")}


def test_table_names_every_part() -> None:
    found = {p.name for p in PACKAGE.iterdir() if (p / "__init__.py").exists()}
    found |= {p.stem for p in PACKAGE.glob("*.py") if not p.stem.startswith("__")}
    assert set(parts()) == found


def test_imports_point_upwards() -> None:
    order = {part: i for i, part in enumerate(parts())}
    breaches = []
    for path in PACKAGE.rglob("*.py"):
        part = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if part.startswith("__"):
            continue
        for other in imported(path):
            if other in order and order[other] > order[part]:
                breaches.append(f"{path.relative_to(ROOT)} imports {other}")
    assert not breaches


def test_building_and_interpreting_leave_jax_alone() -> None:
    program = (
        "import sys\nfrom retrograd import tf\nx = tf.constant([1.0, 2.0])\n"
        "with tf.Session() as s: s.run(tf.gradients(tf.tanh(x), x))\n"
        "print([m for m in ('jax', 'google.protobuf', 'tensorboard', 'absl', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_jax_is_imported_in_one_place() -> None:
    """Where XLA's flags are set; its lesser modules may follow."""
    elsewhere = re.compile(r"^\s*(import jax\b|from jax import|from jax\.numpy)", re.MULTILINE)
    found = [p.relative_to(PACKAGE).as_posix() for p in PACKAGE.rglob("*.py") if elsewhere.search(p.read_text())]
    assert found == ["ops/jax_start.py"]


def test_flags_of_the_user_stand() -> None:
    program = "import os, retrograd.ops.jax_start; print(os.environ['XLA_FLAGS'])"
    for given, found in (
        ("", "--xla_cpu_experimental_ynn_fusion_type=\n"),
        (
            "--xla_cpu_enable_fast_math=false",
            "--xla_cpu_enable_fast_math=false --xla_cpu_experimental_ynn_fusion_type=\n",
        ),
        ("--xla_cpu_experimental_ynn_fusion_type=x", "--xla_cpu_experimental_ynn_fusion_type=x\n"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True,
            env=os.environ | {"XLA_FLAGS": given},
        )  # fmt: skip
        assert done.stdout == found
