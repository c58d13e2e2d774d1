"""CONTRIBUTING.md: the op that it adds can be added as it says, and the places that it names are there."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import case_table
import numpy as np
import pytest

from retrograd import tf
from retrograd.graph.definition import REGISTRY
from retrograd.ops import activations

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text()


def added() -> dict[str, str]:
    """The lines that the page adds to each file."""
    (diff,) = re.findall(r"```diff\n(.*?)```", TEXT, re.DOTALL)
    lines: dict[str, list[str]] = defaultdict(list)
    file = ""
    for line in diff.splitlines():
        if line.startswith("+++ b/"):
            file = line.removeprefix("+++ b/")
        elif line.startswith("+"):
            lines[file].append(line[1:])
    return {file: "\n".join(text) for file, text in lines.items()}


def test_the_op_can_be_added(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = added()
    names: dict[str, Any] = dict(vars(activations))
    try:
        exec(texts["retrograd/ops/activations.py"], names)
        monkeypatch.setattr(activations, "soft_threshold", names["soft_threshold"], raising=False)
        importing, row = texts["tests/cases/activations.py"].split("\n")
        names = {"Row": case_table.Row, "distinct": case_table.distinct}
        exec(importing, names)
        row = eval(row.strip().rstrip(","), names)
        for check in (case_table.check_shapes, case_table.check_tiers, case_table.check_gradient):
            check(row)
        with tf.Session() as session:
            found = session.run(activations.soft_threshold(tf.constant([-3.0, 0.5, 2.0])))  # type: ignore[attr-defined]
        np.testing.assert_array_equal(found, [-2.0, 0.0, 1.0])
    finally:
        REGISTRY.pop("SoftThreshold", None)


def test_the_places_are_there() -> None:
    table = TEXT[TEXT.index("## Add something else") :]
    for path in re.findall(r"`([\w/]+/(?:\w+\.py)?|\w+\.py)`", table):
        assert any((base / path).exists() for base in (ROOT, ROOT / "retrograd")), path
