"""Records, examples, queues, datasets and tables, against TensorFlow 1.15.5: ``golden/input.json.gz``."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest

from retrograd import tf

GOLDEN = Path(__file__).parent / "golden"
sys.path.insert(0, str(GOLDEN))
import input_cases as recorded  # noqa: E402

RECORD = json.loads(gzip.decompress((GOLDEN / "input.json.gz").read_bytes()))


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    recorded.make_files(tf, tmp_path)


@pytest.mark.parametrize("build", recorded.GRAPHS, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore")
def test_nodes(build) -> None:
    assert json.loads(json.dumps(recorded.graph(tf, build))) == RECORD["graphs"][build.__name__]


@pytest.mark.parametrize("label", recorded.runs(tf))
def test_elements(label: str) -> None:
    got = json.loads(json.dumps(recorded.outcome(tf, *recorded.runs(tf)[label])))
    want = RECORD["runs"][label]
    if any(isinstance(x, list) and x and isinstance(x[0], str) and x[0].endswith("Error") for x in want):
        got, want = [_kind(x) for x in got], [_kind(x) for x in want]
    assert got == want


def _kind(x: object) -> object:
    """An error by its class and the start of its message; what our messages add comes behind."""
    if isinstance(x, list) and len(x) == 2 and isinstance(x[0], str) and x[0].endswith("Error"):
        return [x[0], x[1][:24]]
    return x


@pytest.mark.parametrize("label", [label for label in recorded.values(tf) if not label.startswith("padraw")])
def test_values(label: str) -> None:
    got = json.loads(json.dumps(recorded.value(tf, recorded.values(tf)[label])))
    want = RECORD["values"][label]
    if isinstance(want, list) and len(want) == 2 and str(want[0]).endswith("Error"):
        # batches of sequences are parsed one by one, and what is wrong is said of the one
        length = 0 if label.startswith(("seqb", "badseq")) else 40
        got, want = [got[0], got[1][:length]], [want[0], want[1][:length]]
    assert got == want
