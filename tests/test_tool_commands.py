"""The tools of ``tensorflow.python.tools`` as commands; what they print and exit with is TensorFlow 1.15.5's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from retrograd import tf
from retrograd.io import tool_commands

NODES = ["v", "v/read", "x", "z"]


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A graph and its checkpoint in the folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.add(tf.placeholder(tf.float32, [2], name="x"), tf.Variable([1.0, 2.0], name="v"), name="z")
        sess.run(tf.global_variables_initializer())
        tf.train.Saver().save(sess, "m")
        tf.train.write_graph(sess.graph, ".", "g.pbtxt")
    return tmp_path


def called(monkeypatch: pytest.MonkeyPatch, tool: str, *args: str) -> Any:
    monkeypatch.setattr(sys, "argv", [tool, *args])
    return getattr(tool_commands, f"run_{tool}")()


def nodes_of(path: str) -> list[str]:
    return sorted(node.name for node in tf.GraphDef.FromString(Path(path).read_bytes()).node)


def test_a_graph_is_frozen_then_stripped_optimized_and_shown(
    saved: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    frozen = ["--input_graph=g.pbtxt", "--input_checkpoint=m", "--output_graph=o.pb", "--output_node_names=z"]
    assert called(monkeypatch, "freeze_graph", *frozen) == 0
    assert nodes_of("o.pb") == NODES
    ends = ["--input_node_names=x", "--output_node_names=z"]
    assert called(monkeypatch, "strip_unused", "--input_graph=o.pb", "--input_binary", "--output_graph=s", *ends) == 0
    assert capsys.readouterr().out.endswith("4 ops in the final graph.\n")
    names = ["--input_names=x", "--output_names=z"]
    assert called(monkeypatch, "optimize_for_inference", "--input=o.pb", "--output=i", *names) == 0
    assert nodes_of("i") == ["v", "x", "z"]
    capsys.readouterr()
    assert called(monkeypatch, "import_pb_to_tensorboard", "--model_dir=o.pb", "--log_dir=log") == 0
    assert capsys.readouterr().out == "Model Imported. Visualize by running: tensorboard --logdir=log\n"
    assert len(list((saved / "log").iterdir())) == 1


def test_a_checkpoint_is_printed(
    saved: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert called(monkeypatch, "inspect_checkpoint", "--file_name=m", "--all_tensors=true") == 0
    assert capsys.readouterr().out == "tensor_name:  v\n[1. 2.]\n# Total number of params: 2\n"
    assert called(monkeypatch, "inspect_checkpoint") == 1
    assert capsys.readouterr().out.startswith("Usage: inspect_checkpoint --file_name=checkpoint_file_name [")


def test_what_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert called(monkeypatch, "strip_unused", "--input_graph=none") == 0
    assert called(monkeypatch, "optimize_for_inference", "--input=none") == -1
    assert called(monkeypatch, "import_pb_to_tensorboard", "--model_dir=none") == 0
    assert capsys.readouterr().out == "Input graph file 'none' does not exist!\n" * 3


def test_the_module_is_the_command(saved: Path) -> None:
    command = [sys.executable, "-m", "retrograd", "run", "-m", "tensorflow.python.tools.inspect_checkpoint"]
    done = subprocess.run([*command, "--file_name=m"], capture_output=True, text=True, check=True)
    assert done.stdout == "v (DT_FLOAT) [2]\n\n# Total number of params: 2\n"
