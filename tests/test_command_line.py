"""``tf.flags``, ``tf.app.run`` and ``tf.logging``, held to what TensorFlow printed."""

from __future__ import annotations

import json
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
