"""``saved_model_cli`` on models of this package; texts are those that TensorFlow 1.15.5 prints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.tf.python.tools import saved_model_cli, saved_model_utils, strip_unused_lib


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """y = x / 2 + 2, under one signature."""
    path = str(tmp_path / "model")
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 1], name="x")
        y = tf.add(x * tf.Variable(0.5), 2.0, name="y")
        sess.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(sess, path, {"x": x}, {"y": y})
    return path


def done(*args: str) -> None:
    parsed = saved_model_cli.create_parser().parse_args(args)
    parsed.func(parsed)


def test_what_a_model_holds(folder: str, capsys: Any) -> None:
    done("show", "--dir", folder)
    done("show", "--dir", folder, "--tag_set", "serve")
    done("show", "--dir", folder, "--tag_set", "serve", "--signature_def", "serving_default")
    done("scan", "--dir", folder)
    assert (
        capsys.readouterr().out
        == """\
The given SavedModel contains the following tag-sets:
serve
The given SavedModel MetaGraphDef contains SignatureDefs with the following keys:
SignatureDef key: "serving_default"
The given SavedModel SignatureDef contains the following input(s):
  inputs['x'] tensor_info:
      dtype: DT_FLOAT
      shape: (-1, 1)
      name: x:0
The given SavedModel SignatureDef contains the following output(s):
  outputs['y'] tensor_info:
      dtype: DT_FLOAT
      shape: (-1, 1)
      name: y:0
Method name is: tensorflow/serving/predict
MetaGraph with tag set ['serve'] does not contain blacklisted ops.
"""
    )
    assert saved_model_utils.get_saved_model_tag_sets(folder) == [["serve"]]
    with pytest.raises(RuntimeError, match="MetaGraphDef associated with tag-set bad could not be found"):
        done("show", "--dir", folder, "--tag_set", "bad")
    with pytest.raises(OSError, match="SavedModel file does not exist at: nowhere"):
        done("show", "--dir", "nowhere", "--all")


def test_functions_and_their_arguments(tmp_path: Path, capsys: Any, eager: None) -> None:
    model = tf.Module()
    model.f = tf.function(lambda a, c: a + 1 if c else a)
    model.f(tf.constant(5), True)
    tf.saved_model.save(model, str(tmp_path / "m"))
    done("show", "--dir", str(tmp_path / "m"), "--all")
    assert capsys.readouterr().out.endswith("""
Defined Functions:
  Function Name: 'f'
    Option #1
      Callable with:
        Argument #1
          a: TensorSpec(shape=(), dtype=tf.int32, name='a')
        Argument #2
          DType: bool
          Value: True
""")


def test_a_signature_is_run(folder: str, tmp_path: Path, capsys: Any) -> None:
    def run(*args: str) -> None:
        done("run", "--dir", folder, "--tag_set", "serve", "--signature_def", "serving_default", *args)

    arrays, out = tmp_path / "arrays.npz", tmp_path / "out"
    np.savez(arrays, a=np.ones((2, 1)), b=np.zeros(3))
    run("--inputs", f"x={arrays}[a]", "--outdir", str(out))
    assert capsys.readouterr().out == (f"Result for output key y:\n[[2.5]\n [2.5]]\nOutput y is saved to {out}/y.npy\n")
    assert np.load(out / "y.npy").tolist() == [[2.5], [2.5]]
    with pytest.raises(RuntimeError, match=r'y.npy already exists. Add "--overwrite"'):
        run("--inputs", f"x={arrays}[a]", "--outdir", str(out))
    run("--input_exprs", "x=np.zeros((1, 1))", "--outdir", str(out), "--overwrite")
    assert np.load(out / "y.npy").tolist() == [[2.0]]
    for args, error, text in (
        (("--inputs", f"x={arrays}"), RuntimeError, "contains more than one ndarrays"),
        (("--inputs", f"x={arrays}[c]"), RuntimeError, 'does not contain variable with name "c"'),
        (("--inputs", "x:y"), RuntimeError, 'inputs "x:y" format is incorrect'),
        (("--inputs", f"x={__file__}"), RuntimeError, "is no .npy or .npz file; pickles are not read"),
        (("--input_exprs", "x:3"), RuntimeError, "format is incorrect"),
        (("--input_exprs", "q=3"), ValueError, '"q" is not a valid input key. Please choose from "x"'),
        (("--input_examples", "x={}"), ValueError, "must be a list of dictionaries"),
        (("--input_examples", "x=[{'a': 3}]"), ValueError, "feature value must be a list"),
        (("--input_examples", "x=[{'a': [[3]]}]"), ValueError, "is not supported for tf.train.Feature"),
        ((), AttributeError, "At least one of --inputs"),
        (("--input_exprs", "x=3", "--tf_debug"), NotImplementedError, "--tf_debug needs"),
    ):
        with pytest.raises(error, match=text):
            run(*args)


def test_examples_are_serialized() -> None:
    found = saved_model_cli.preprocess_input_examples_arg_string("x=[{'a': [1], 'b': [2.5], 'c': ['t']}]")
    features = tf.train.Example.FromString(found["x"][0]).features.feature
    assert list(features["a"].int64_list.value) == [1]
    assert list(features["b"].float_list.value) == [2.5]
    assert list(features["c"].bytes_list.value) == [b"t"]


def test_a_file_is_stripped(tmp_path: Path, capsys: Any) -> None:
    with tf.Graph().as_default() as graph:
        tf.add(tf.constant(1.0, name="in") * 2.0, 3.0, name="out")
        tf.constant(7.0, name="unused")
    tf.train.write_graph(graph, str(tmp_path), "in.pbtxt")
    files = str(tmp_path / "in.pbtxt"), False, str(tmp_path / "out.pb"), True
    strip_unused_lib.strip_unused_from_files(*files, "in", "out", tf.float32.as_datatype_enum)
    stripped = tf.GraphDef.FromString((tmp_path / "out.pb").read_bytes())
    assert {n.name: n.op for n in stripped.node}["in"] == "Placeholder"
    assert "unused" not in {n.name for n in stripped.node}
    assert strip_unused_lib.strip_unused_from_files("nowhere", False, "", False, "in", "out", 1) == -1


def test_shapes_of_vectors_and_scalars(tmp_path: Path, capsys: Any) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        x, z = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [])
        tf.saved_model.simple_save(session, str(tmp_path / "m"), {"x": x, "z": z}, {"y": x + z})
    capsys.readouterr()
    done("show", "--dir", str(tmp_path / "m"), "--all")
    shapes = [line.strip() for line in capsys.readouterr().out.splitlines() if "shape" in line]
    assert shapes == ["shape: (-1)", "shape: ()", "shape: (-1)"]
