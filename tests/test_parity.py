"""The recorded programs print and build what they did under TensorFlow 1.15.5."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

HERE = Path(__file__).parent / "golden" / "parity"
sys.path.insert(0, str(HERE))
from compare import EXEMPT, node_counts, text_grade  # noqa: E402

PROGRAMS = sorted(p.stem for p in HERE.glob("*.json"))


NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def run(name: str, folder: Path, **environment: str) -> Any:
    """What a program prints and builds."""
    out = folder / "got.json"
    command = [sys.executable, "-m", "retrograd", "run", HERE / "record.py", HERE / f"{name}.py", out]
    env = {**os.environ, **environment}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, env=env)
    assert done.returncode == 0, done.stderr
    return json.loads(out.read_text())


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_computed_by_xla(name: str, tmp_path: Path) -> None:
    want = json.loads((HERE / f"{name}.json").read_text())["stdout"]
    got = run(name, tmp_path, RETROGRAD_JIT="always", RETROGRAD_CACHE="off")["stdout"]
    assert [*map(str.split, NUMBER.sub(" ", got).splitlines())] == [*map(str.split, NUMBER.sub(" ", want).splitlines())]
    mine, theirs = ([float(n) for n in NUMBER.findall(text)] for text in (got, want))
    np.testing.assert_allclose(mine, theirs, rtol=2e-3, atol=2e-5)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, tmp_path: Path) -> None:
    want = json.loads((HERE / f"{name}.json").read_text())
    got = run(name, tmp_path)
    assert text_grade(got["stdout"], want["stdout"]) in ("exact", "close"), got["stdout"]
    if name in EXEMPT and name != "p28_cond_gradient":  # the gradients of loops have nodes of our own
        return
    recorded, same, different, missing, extra = node_counts(got["graphs"], want["graphs"])
    assert (same, different, missing, extra) == (recorded, 0, 0, 0)
    for mine, theirs in zip(got["graphs"], want["graphs"], strict=True):
        assert {n["name"]: n["attr"] for n in mine["nodes"]} == {n["name"]: n["attr"] for n in theirs["nodes"]}
        assert mine["collections"] == theirs["collections"]
