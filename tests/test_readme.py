"""The README shows what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)
NUMBER = re.compile(r"(?<![\w/])\d+\.\d+(?![\w/])")


def ran(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_it_fits_on_a_screen() -> None:
    assert len(README.splitlines()) <= 60


def test_demo_prints_what_is_shown() -> None:
    shown = BLOCKS[1][1].splitlines()
    printed = ran(sys.executable, "-m", "retrograd", "run", "examples/mnist_softmax.py").splitlines()
    wanted = [line for line in shown if line != "..."]
    found = [line for line in printed if NUMBER.sub("#", line) in {NUMBER.sub("#", w) for w in wanted}]
    for line in wanted:
        numbers = [float(n) for n in NUMBER.findall(line)]
        same = [f for f in found if NUMBER.sub("#", f) == NUMBER.sub("#", line)]
        assert same, line
        assert [float(n) for n in NUMBER.findall(same[0])] == pytest.approx(numbers, abs=0.005)


def test_snippet_runs(tmp_path: Path) -> None:
    snippet = next(text for language, text in BLOCKS if language == "python")
    (tmp_path / "snippet.py").write_text(snippet)
    value, slope = map(float, re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", ran(sys.executable, str(tmp_path / "snippet.py"))))
    assert value == pytest.approx(3.0, abs=1e-5)
    assert slope == pytest.approx(0.0, abs=1e-5)
