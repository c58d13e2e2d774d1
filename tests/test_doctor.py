"""`retrograd doctor`: programs read without running them, and the names that it knows."""

import ast
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from retrograd import cli, doctor, names, tf
from retrograd.reasons import symbols

ROOT = Path(__file__).parents[1]
PROGRAM = """\
import tensorflow as tf
import tensorflow.contrib.slim as slim
from tensorflow.contrib import bigtable
from tensorflow.python.ops import array_ops
from tensorflow.python.debug import cli  # built by nobody here, and not used
L = tf.layers
x = tf.mul(1, 2)
y = tf.nn.relu(x, nam="a")
z = L.dense(
    x, 3,
    activaton=tf.nn.relu)
with slim.arg_scope([slim.conv2d]):
    array_ops.zeros([2]).whatever
tf.compat.v1.nn.softmax(logits=x, **{})
v = tf.nonsense.deeper
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "train.py"
    path.write_text(PROGRAM)
    return path


def test_a_module_that_stands_in_for_a_face_has_its_names():
    assert names.look_up("python.platform.tf_logging.set_verbosity") is not None
    assert names.look_up("python.math_ops.reduce_sum") is not None


@pytest.mark.parametrize("name", ["training_ops.apply_rms_prop", "training_ops.ResourceSparseApplyAdagrad"])
def test_ops_whose_types_are_put_together_are_held(name):
    assert names.look_up(f"python.training.{name}") is not None
    assert names.look_up("python.training.training_ops.apply_nonsense") is None


def test_what_is_missing_has_its_line_and_what_to_use_instead(program, capsys):
    assert cli.main(["doctor", str(program)]) == 1
    assert (
        capsys.readouterr().out
        == f"""\
{program}:3: tf.contrib.bigtable is missing
  Why:   reads a cloud service
  Fix:   tf.data.Dataset.from_generator
{program}:7: tf.mul is missing
  Why:   renamed in TensorFlow 1.0
  Fix:   tf.multiply
{program}:8: tf.nn.relu(nam=...) is missing
  Fix:   name=...
{program}:11: tf.layers.dense(activaton=...) is missing
  Fix:   activation=...
{program}:15: tf.nonsense is missing
  Why:   TensorFlow 1.15.5 does not have it either
1 file read, 9 names of TensorFlow used: 5 missing, in 1 of the files
"""
    )


def test_names_of_compat_v1_are_those_of_tensorflow(tmp_path, capsys):
    file = tmp_path / "p.py"
    file.write_text("import tensorflow.compat.v1 as tf\ntf.merge_summary([])\ntf.train.nonsense\n")
    assert cli.main(["doctor", str(file)]) == 1
    assert (
        capsys.readouterr().out
        == f"""\
{file}:2: tf.compat.v1.merge_summary is missing
  Why:   renamed in TensorFlow 1.0
  Fix:   tf.summary.merge
{file}:3: tf.compat.v1.train.nonsense is missing
  Why:   TensorFlow 1.15.5 does not have it either
1 file read, 2 names of TensorFlow used: 2 missing, in 1 of the files
"""
    )


def test_json(program, capsys):
    assert cli.main(["doctor", "--json", str(program)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["files"], found["used"], found["missing"]) == (1, 9, 5)
    assert found["findings"][1] == {
        "file": str(program),
        "line": 7,
        "symbol": "tf.mul",
        "keyword": None,
        "why": "renamed in TensorFlow 1.0",
        "instead": "tf.multiply",
    }


def test_a_folder(program, capsys):
    program.write_text("import tensorflow as tf\ntf.nn.relu(features=tf.zeros([2]))\n")
    (program.parent / "old.py").write_text("print 'hello'\n")
    (program.parent / ".hidden").mkdir()
    (program.parent / ".hidden" / "bad.py").write_text("import tensorflow as tf\ntf.mul\n")
    assert cli.main(["doctor", str(program.parent)]) == 1
    out = capsys.readouterr().out
    assert "old.py:1: this file is missing\n  Why:   not Python 3: " in out
    assert out.endswith("2 files read, 2 names of TensorFlow used: 1 missing, in 1 of the files\n")
    (program.parent / "old.py").unlink()
    assert cli.main(["doctor", str(program.parent)]) == 0
    assert capsys.readouterr().out == "1 file read, 2 names of TensorFlow used: all are here\n"


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ([], "doctor needs a program or a folder: retrograd doctor PATH... [--json]"),
        (["--jso", "x"], "doctor has no option '--jso'. Did you mean this?  retrograd doctor --json PATH"),
        (["nowhere.py"], "no such file or folder: nowhere.py"),
    ],
)
def test_wrong_arguments(capsys, args, error):
    assert cli.main(["doctor", *args]) == 2
    assert capsys.readouterr().err == f"retrograd: {error}\n"


def test_nothing_of_the_library_is_imported(program):
    code = (
        f"import sys\nfrom retrograd import cli\ncli.main(['doctor', {str(program)!r}])\n"
        "print([m for m in ('numpy', 'retrograd.tf', 'google.protobuf') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("module", ["", "nn", "train", "layers", "contrib.layers", "distributions", "keras", "image"])
def test_names_read_are_the_names_there(module):
    face = tf
    for part in filter(None, module.split(".")):
        face = getattr(face, part)
    for name in symbols()[module]:
        assert (names.member(module, name) is not None) == hasattr(face, name), name


def test_reasons_are_of_names_that_are_missing():
    rows = (ROOT / "retrograd" / "tf" / "left_out.txt").read_text().splitlines()
    paths = [row.partition("|")[0].strip() for row in rows if not row.startswith("#")]
    assert len(paths) > 70
    assert [path for path in paths if "*" not in path and names.look_up(path) is not None] == []


def test_a_missing_name_says_why_and_what_to_use_instead():
    with pytest.raises(AttributeError, match=r"no attribute 'mul'\.\n  Why: +renamed in .*1\.0\n  Fix: +tf\.multiply"):
        _ = tf.mul


def test_coverage_is_what_the_code_says():
    done = subprocess.run([sys.executable, str(ROOT / "tools" / "write_coverage.py"), "--check"], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_inner_names_are_no_promise(tmp_path, capsys):
    program = tmp_path / "inner.py"
    program.write_text("from tensorflow.python.ops import rnn_cell_impl\nrnn_cell_impl._like_rnncell(1)\n")
    cli.main(["doctor", str(program)])
    assert "which may not have it either" in capsys.readouterr().out


def test_many_files_are_read_by_several_processes(tmp_path, capsys):
    for i in range(6):
        (tmp_path / f"p{i}.py").write_text("import tensorflow as tf\n" + f"tf.reduce_summ({i})\n" * (i % 2))
    assert cli.main(["doctor", str(tmp_path)]) == 1
    alone = capsys.readouterr().out
    assert alone.endswith("6 files read, 1 name of TensorFlow used: 1 missing, in 3 of the files\n")
    program = (  # a process without JAX, whose threads forbid to fork
        "import os, sys\n"
        "from retrograd import cli, doctor\n"
        "doctor._WORTH_PROCESSES = 2\n"
        "os.sched_getaffinity = lambda process: {0, 1}\n"
        "forks = []\n"
        "os.register_at_fork(before=lambda: forks.append(1))\n"
        "code = cli.main(['doctor', sys.argv[1]])\n"
        "assert len(forks) == 2, 'one process read them all'\n"
        "sys.exit(code)\n"
    )
    run = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (1, alone), run.stderr


def test_files_that_cannot_be_read(tmp_path, capsys):
    (tmp_path / "deep.py").write_text("x = " + "-" * 100_000 + "1")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "link.py").symlink_to("nowhere.py")
    assert cli.main(["doctor", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "deep.py:1: this file is missing" in lines[0]
    assert "it cannot be read" in lines[1]
    assert lines[-1].startswith("1 file read")


def test_the_progress_stands_in_one_line_of_a_terminal():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    with doctor.Progress(4, terminal) as progress:
        for _ in range(4):
            progress._told = 0.0
            progress.step()
        progress.clear()
    assert "\r[" + "#" * 15 + "." * 15 + "] 2 of 4 files" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\033[K")
    assert "\n" not in terminal.getvalue()
    quiet = io.StringIO()
    with doctor.Progress(4, quiet) as progress:
        progress.step()
    assert quiet.getvalue() == ""


@pytest.mark.parametrize("module", ["ops.arithmetic", "nn.rnn_cells", "ragged.dispatching", "keras.backend_state"])
def test_pieces_of_a_source_say_what_the_whole_says(module):
    whole = [node for node in ast.parse(names._source(f"retrograd.{module}")).body if hasattr(node, "name")]
    for name in {node.name for node in whole}:
        found = [n for n in names._statements(f"retrograd.{module}", name) if getattr(n, "name", "") == name]
        assert [ast.dump(n) for n in found] == [ast.dump(n) for n in whole if n.name == name]
