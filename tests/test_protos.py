"""Graphs, ops and values as protocol buffers, held to TensorFlow's own."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.graph import protos

GOLDEN = Path(__file__).parent / "golden"


def cases() -> Any:
    spec = importlib.util.spec_from_file_location("proto_cases", GOLDEN / "proto_cases.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


OURS = cases().facts(tf)
THEIRS = json.loads((GOLDEN / "protos.json").read_text())


@pytest.mark.parametrize("kind", ["values", "arrays", "shaped", "attrs", "numbers", "op"])
def test_values_and_attributes(kind: str) -> None:
    assert OURS[kind] == THEIRS[kind]


def test_messages_are_printed_as_they_were() -> None:
    lines = """
import retrograd
retrograd.install()
import json, proto_cases, tensorflow
print(json.dumps(proto_cases.printed(tensorflow)))
"""
    run = subprocess.run([sys.executable, "-c", lines], cwd=GOLDEN, check=True, capture_output=True, text=True)
    assert json.loads(run.stdout) == THEIRS["printed"]


@pytest.mark.parametrize("kind", ["graph", "shapes", "later"])
def test_graph_defs(kind: str) -> None:
    assert OURS[kind].splitlines() == THEIRS[kind].splitlines()


def test_attr_values_come_back() -> None:
    from retrograd.graph.shapes import TensorShape

    for value in (tf.float32, 3, 2.5, True, b"text", TensorShape([1, 2]), [1, 2], [tf.int32], [b"a"], [], [True]):
        assert protos.plain_value(protos.attr_value(value)) == value
    array = np.arange(3.0)
    np.testing.assert_array_equal(protos.plain_value(protos.attr_value(array)), array)


def test_no_such_attribute() -> None:
    with tf.Graph().as_default(), pytest.raises(ValueError, match="Operation 'x' has no attr named 'foo'"):
        tf.placeholder(tf.float32, name="x").op.get_attr("foo")


def test_op_def() -> None:
    with tf.Graph().as_default():
        proto = tf.one_hot([1], 3).op.op_def
    assert proto.name == "OneHot"
    assert [a.name for a in proto.input_arg] == ["indices", "depth", "on_value", "off_value"]
    assert {a.name for a in proto.attr} == {"axis", "T", "TI"}


def test_registered_ops() -> None:
    from retrograd.tf.python.framework import op_def_registry

    ops = op_def_registry.get_registered_ops()
    product = ops["MatMul"]
    assert [a.name for a in product.input_arg] == ["a", "b"]
    assert {a.name for a in product.attr} == {"transpose_a", "transpose_b", "T"}
    assert ops["LSTMBlockCellGrad"].output_arg[0].name == "cs_prev_grad"  # one that no program has called


def test_bfloat16() -> None:
    proto = tf.make_tensor_proto([1.0, 2.0], dtype=tf.bfloat16)
    assert list(proto.half_val) == [16256, 16384]
    assert tf.make_ndarray(proto).astype(np.float32).tolist() == [1.0, 2.0]


def test_constant_of_a_proto() -> None:
    proto = tf.make_tensor_proto([1.0, 2.0], dtype=tf.float64)
    with tf.Session() as session:
        for x in (tf.constant(proto), tf.convert_to_tensor(proto)):
            assert x.dtype == tf.float64
            assert session.run(x).tolist() == [1.0, 2.0]


def test_an_exported_graph_is_the_same_bytes_in_each_process(tmp_path: Path) -> None:
    lines = """
import sys
from retrograd import tf
x = tf.placeholder(tf.float32, [])
tf.cond(x > 0, lambda: x + tf.Variable(1.0) * tf.Variable(2.0), lambda: x * tf.Variable(3.0))
tf.train.export_meta_graph(sys.argv[1])
"""
    for name in ("one", "two", "three"):
        subprocess.run([sys.executable, "-c", lines, tmp_path / name], check=True)
    one, *others = [(tmp_path / name).read_bytes() for name in ("one", "two", "three")]
    assert all(other == one for other in others)
