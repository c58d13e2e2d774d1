"""``tf.flags``, ``tf.app.run`` and ``tf.logging``, held to what TensorFlow printed."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parent / "golden"
RUNS = json.loads((GOLDEN / "command_line.json").read_text())


@pytest.mark.parametrize("recorded", RUNS, ids=lambda r: " ".join(r["run"]))
def test_programs(recorded: dict[str, Any]) -> None:
    command = [sys.executable, "-m", "retrograd", "run", *recorded["run"]]
    done = subprocess.run(command, cwd=GOLDEN / "command_line", capture_output=True, text=True)
    log = [line for line in done.stderr.splitlines() if ":tensorflow:" in line and "deprecated" not in line]
    assert done.stdout == recorded["stdout"]
    assert log == recorded["log"]
    assert done.returncode == recorded["code"], done.stderr


def test_an_alias_says_the_new_name_where_it_is_used(caplog: pytest.LogCaptureFixture) -> None:
    from retrograd.graph import deprecation

    class Old:
        def __init__(self, x: int) -> None:
            self.x = x

    f = deprecation.deprecated_alias("tf.old.f", "tf.new.f", lambda x: x + 1)
    kind = deprecation.deprecated_alias("tf.old.A", "tf.new.A", Old)
    with caplog.at_level(logging.WARNING, "tensorflow"):
        assert (f(1), f(2), kind(2).x, isinstance(kind(3), Old)) == (2, 3, 2, True)
    found = [record.getMessage() for record in caplog.records]
    assert [re.sub(r"\d+", "N", text) for text in found] == [
        f"From test_command_line.py:N: The name tf.old.{x} is deprecated. Please use tf.new.{x} instead.\n"
        for x in "fA"
    ]


def test_deprecation_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    from retrograd.graph import deprecation

    @deprecation.deprecated("2020-01-01", "use g")
    def f(x: int) -> int:
        return x

    with caplog.at_level("WARNING", logger="tensorflow"):
        assert [f(1), f(2)] == [1, 2]
        with deprecation.silence():
            f(3)
    assert len(caplog.records) == 1
    assert "use g" in caplog.text
    assert deprecation.deprecated_argument_lookup("new", None, "old", 3) == 3
    with pytest.raises(ValueError, match="Cannot specify both 'old' and 'new'"):
        deprecation.deprecated_argument_lookup("new", 1, "old", 3)
