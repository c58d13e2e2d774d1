"""``tf.saved_model.load_v2`` of graphs without objects, and ``tf.compat.v1.wrap_function``: as TensorFlow 1.15.5's."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recorded_files import unpacked

from retrograd import tf
from retrograd.data.optionals import OptionalSpec
from retrograd.data.structures import DatasetSpec
from retrograd.flow.array_specs import TensorArraySpec
from retrograd.tf.python.saved_model import nested_structure_coder

RECORDED = json.loads(gzip.decompress((Path(__file__).parent / "golden" / "saved_graphs.json.gz").read_bytes()))


@pytest.fixture
def theirs(tmp_path: Path) -> str:
    """What TensorFlow wrote."""
    return unpacked(RECORDED["files"], tmp_path / "theirs")


def _error_of(call: Any) -> list[str]:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - the class is recorded
        call()
    return [type(caught.value).__name__, str(caught.value)]


def _arguments() -> dict[str, Any]:
    return {"x": tf.constant([4.0, 2.0]), "s": tf.constant(["b", "zz"])}


def _check_both(found: dict[str, Any]) -> None:
    assert found.keys() == RECORDED["both"].keys()
    for key, value in RECORDED["both"].items():
        np.testing.assert_allclose(found[key], value, rtol=1e-6)


def test_signatures_are_functions(theirs: str, eager: None) -> None:
    """Of reference variables, loops and tables that are filled from files too."""
    model = tf.saved_model.load_v2(theirs)
    serve, both = model.signatures["serving_default"], model.signatures["both"]
    assert [[v.name, float(v.numpy()), v.trainable] for v in model.variables] == RECORDED["variables"]
    assert serve(tf.constant([2.0]))["y"].numpy().tolist() == RECORDED["y"]
    _check_both({key: y.numpy() for key, y in both(**_arguments()).items()})
    with tf.GradientTape() as tape:
        y = serve(x=tf.constant([2.0]))["y"]
    assert [v.name for v in tape.watched_variables()] == RECORDED["watched"]
    assert tape.gradient(y, model.variables[0]).numpy() == RECORDED["gradient"]
    errors = [
        _error_of(lambda: both(x=tf.constant([4.0, 2.0]), y=1.0)),
        _error_of(lambda: serve(x=1.0, z=3)),
        _error_of(lambda: tf.saved_model.load_v2(theirs, ["nope"])),
    ]
    for (kind, text), (their_kind, their_text) in zip(errors, RECORDED["errors"], strict=True):
        assert kind == their_kind
        for word in ("nope", "unknown", "Missing"):
            assert (word in text) == (word in their_text)


def test_each_load_has_variables_of_its_own(theirs: str, eager: None) -> None:
    first, second = tf.saved_model.load_v2(theirs, "serve"), tf.saved_model.load_v2(theirs)
    first.variables[0].assign(10.0)
    change = first.prune("save/Const:0", first.graph.get_operation_by_name("save/restore_all"))
    results = [m.prune("x:0", "y:0")(tf.constant([2.0])).numpy().tolist() for m in (first, second)]
    assert results == [[34.0], RECORDED["y"]]
    change(tf.constant(theirs + "/variables/variables"))
    assert first.prune(["x:0"], ["y:0"])(tf.constant([2.0]))[0].numpy().tolist() == RECORDED["y"]


def test_signatures_in_a_graph(theirs: str) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        model = tf.saved_model.load_v2(theirs)
        found = model.signatures["both"](**_arguments())
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()])
        _check_both(session.run(found))
        assert [v.name for v in tf.trainable_variables()] == RECORDED["watched"]
        y = model.signatures["serving_default"](x=tf.constant([2.0]))["y"]
        assert session.run(tf.gradients(y, model.variables[0].handle)) == [RECORDED["gradient"]]


def test_what_was_loaded_is_saved_again(theirs: str, tmp_path: Path, eager: None) -> None:
    model, again = tf.saved_model.load_v2(theirs), str(tmp_path / "again")
    tf.saved_model.save(model, again, signatures={"ids": model.prune("s:0", {"ids": _ids(model)})})
    assert tf.saved_model.load_v2(again).signatures["ids"](tf.constant(["b", "zz"]))["ids"].numpy().tolist() == [1, -1]


def _ids(model: Any) -> Any:
    return model.signatures["both"].outputs[[y.dtype for y in model.signatures["both"].outputs].index(tf.int64)]


def test_what_cannot_be_loaded_says_why(tmp_path: Path, eager: None) -> None:
    signature = tf.saved_model.predict_signature_def
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = tf.placeholder(tf.float32, [], name="x"), tf.placeholder(tf.float32, [], name="y")
        z = tf.add(x, y, name="z")
        builder = tf.saved_model.Builder(str(tmp_path / "two"))
        builder.add_meta_graph_and_variables(session, ["a"], {"sum": signature({"x": x, "y": y}, {"z": z})})
        builder.add_meta_graph(["b"], {"half": signature({"x": x}, {"z": z})})
        builder.save()
    with pytest.raises(ValueError, match="there are 2 MetaGraphs in the SavedModel with tag sets"):
        tf.saved_model.load_v2(str(tmp_path / "two"))
    given = {"x": tf.constant(1.0), "y": tf.constant(2.0)}
    assert float(tf.saved_model.load_v2(str(tmp_path / "two"), ["a"]).signatures["sum"](**given)["z"]) == 3.0
    with pytest.raises(Exception, match=r"depends transitively on placeholder .*: z \(AddV?2?\) <- y \(Placeholder\)"):
        tf.saved_model.load_v2(str(tmp_path / "two"), ["b"])


def test_composite_tensors_of_signatures(tmp_path: Path, eager: None) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.int64, [1])
        outputs = {
            "sparse": tf.SparseTensor([[0]], x, [1]) * 2,
            "ragged": tf.RaggedTensor.from_row_splits(x, [0, 0, 1]),
        }
        tf.saved_model.simple_save(session, str(tmp_path / "m"), {"x": x}, outputs)
        info = tf.saved_model.build_tensor_info(outputs["ragged"])
        assert info.composite_tensor.type_spec.type_spec_class_name == "RaggedTensorSpec"
        assert info.composite_tensor.components[0].name == x.name
    given = tf.saved_model.load_v2(str(tmp_path / "m")).signatures["serving_default"](tf.constant([21], tf.int64))
    assert given["sparse"].values.numpy().tolist() == [42]
    assert given["ragged"].to_list() == [[], [21]]


def test_specs_of_values_in_one_piece_have_messages() -> None:
    coder = nested_structure_coder.StructureCoder()
    element = {"a": tf.TensorSpec([2], tf.int32)}
    specs = [DatasetSpec(element, [3]), OptionalSpec(element["a"]), TensorArraySpec([2], tf.int32, True, True)]
    proto = coder.encode_structure(specs)
    assert coder.decode_proto(proto) == specs
    spec = proto.list_value.values[0].type_spec_value
    spec.type_spec_class, spec.type_spec_class_name = 0, "FutureSpec"
    with pytest.raises(ValueError, match=r"^The type 'FutureSpec' is not supported by this version of TensorFlow\. \("):
        coder.decode_proto(proto)


def _piece(x: Any) -> Any:
    return tf.Variable(5.0, name="v") * x + tf.get_variable("w", shape=[], initializer=tf.ones_initializer())


def test_a_piece_of_a_program_is_a_function(eager: None) -> None:
    wrapped, theirs = tf.wrap_function(_piece, [tf.TensorSpec(None, tf.float32)]), RECORDED["wrapped"]
    graph = wrapped.graph
    parts = wrapped.prune(wrapped.inputs[0], (graph.get_tensor_by_name("mul:0"), {"a": wrapped.outputs[0]}))
    assert float(wrapped(tf.constant(3.0))) == theirs["value"]
    assert [v.name for v in wrapped.variables] == theirs["variables"]
    assert (len(parts.inputs), [y.name for y in wrapped.outputs]) == (theirs["inputs"], theirs["outputs"])
    product, rest = parts(tf.constant(2.0))
    assert (float(product), float(rest["a"])) == (10.0, 11.0)
    ours = [
        _error_of(lambda: wrapped.prune(["nope:0"], [wrapped.outputs[0]])),
        _error_of(lambda: wrapped.prune([], wrapped.outputs[0])),
        _error_of(lambda: wrapped.prune([3], wrapped.outputs[0])),
    ]
    assert ours == theirs["errors"]
    wrapped.variables[0].assign(1.0)
    assert float(wrapped(tf.constant(3.0))) == 4.0


def test_what_nothing_returned_needs_does_not_run(eager: None) -> None:
    kept: list[Any] = []

    def piece() -> Any:
        kept.append(tf.Variable(0.0))
        kept[0].assign_add(1.0)
        return kept[0].assign_add(2.0)

    tf.wrap_function(piece, [])()
    assert float(kept[0].numpy()) == 2.0
    with pytest.raises(TypeError, match="must return zero or more Tensors"):
        tf.wrap_function(lambda: tf.no_op(), [])


def test_hostile_saved_models_are_errors() -> None:
    """SavedModels changed at random are errors or models; nothing else happens, and soon."""
    program = Path(__file__).with_name("hostile_saved_models.py").as_posix()
    done = subprocess.run([sys.executable, program, "3", "60"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
