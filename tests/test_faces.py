"""The faces: that they are written from the parts, what they hold, what they say of what is missing, and their cost."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from retrograd import faces, tf
from retrograd.graph.definition import OF_OUR_OWN

ROOT = Path(__file__).parents[1]


def test_faces_are_as_the_parts_have_them() -> None:
    """`python tools/write_faces.py` would change nothing, and every public function of the parts is in a face."""
    script = [sys.executable, str(ROOT / "tools" / "write_faces.py"), "--check"]
    done = subprocess.run(script, capture_output=True, text=True)
    assert done.returncode == 0, f"run: python tools/write_faces.py\n{done.stdout}{done.stderr}"


@pytest.mark.smoke
def test_names_lead_to_the_parts() -> None:
    from retrograd.graph.dtypes import float32

    assert tf.float32 is float32
    assert tf.range.__name__ == "range_"
    assert tf.nn.relu is not None
    assert tf.train.AdamOptimizer.__name__ == "AdamOptimizer"
    assert tf.__version__ == tf.VERSION == "1.15.5"
    assert tf.newaxis is None


@pytest.mark.parametrize("module", ["python.keras.layers.core", "python.keras.layers.serialization", "keras.layers"])
def test_dense_is_the_layer_in_every_module_of_keras(module: str) -> None:
    dense = importlib.import_module(f"retrograd.tf.{module}").Dense
    assert dense is importlib.import_module("retrograd.keras.layers.core").Dense


@pytest.mark.smoke
def test_misspelt_name() -> None:
    with pytest.raises(AttributeError) as caught:
        tf.reduce_summ  # noqa: B018
    assert str(caught.value) == "module 'tensorflow' has no attribute 'reduce_summ'. Did you mean 'reduce_sum'?"
    assert not hasattr(tf, "reduce_summ")


@pytest.mark.smoke
def test_name_that_is_not_built() -> None:
    with pytest.raises(
        AttributeError,
        match=r"no attribute 'lite'\.\n  Why:",
    ):
        tf.lite  # noqa: B018


def test_symbols_hold_the_public_names() -> None:
    symbols = faces.symbols()
    assert {"Session", "gradients", "placeholder"} <= set(symbols[""])
    assert "softmax_cross_entropy_with_logits" in symbols["nn"]
    assert len(symbols) > 90


def test_protos_come_when_asked_for() -> None:
    program = (
        "import sys\nfrom retrograd import tf\n"
        "early = 'google.protobuf' in sys.modules\n"
        "config = tf.ConfigProto(allow_soft_placement=True)\n"
        "config.gpu_options.allow_growth = True\n"
        "print(early, config.allow_soft_placement, tf.GraphDef.__name__, tf.RunOptions.FULL_TRACE)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False True GraphDef 3\n"


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("retrograd.tf", "estimator keras losses summary train ConfigProto GraphDef constant Session"),
        ("retrograd.tf.keras", "layers models backend Sequential"),
        ("retrograd.tf.keras.layers", "Dense LSTM"),
        ("retrograd.tf.python.framework.ops", "Graph RegisterGradient"),
    ],
)
def test_a_star_takes_what_tensorflow_exports(module: str, names: str) -> None:
    taken: dict[str, Any] = {}
    exec(f"from {module} import *", taken)
    assert {*names.split()} <= {*taken}
    assert not {"missing", "operators"} & {*taken}


def test_raw_ops_are_listed() -> None:
    assert {"MatMul", "Relu", "AddV2"} <= set(dir(tf.raw_ops))
    assert not OF_OUR_OWN & set(dir(tf.raw_ops))
    assert all(hasattr(tf.raw_ops, name) for name in dir(tf.raw_ops)[:50])


def test_raw_ops() -> None:
    x = tf.raw_ops.MatMul(a=[[1.0]], b=[[2.0]], transpose_b=True)
    assert x.op.type == "MatMul"
    assert x.op.get_attr("transpose_b") is True
    parts = tf.raw_ops.Unique(x=[1, 1, 2])
    assert parts.y.shape.as_list() == [None]
    assert parts.idx.shape.as_list() == [3]
    with pytest.raises(TypeError):
        tf.raw_ops.MatMul(a=[[1.0]])


@pytest.mark.parametrize(
    "module",
    ["python.framework.ops", "python.ops.math_ops", "python.util.nest", "core.framework.graph_pb2", "compat.v1.nn"],
)
def test_inner_modules(module: str) -> None:
    program = (
        "import importlib, retrograd\nretrograd.install()\n"
        f"print(importlib.import_module('tensorflow.{module}').__name__)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith(module.rpartition(".")[2])


def test_modules_that_python_shows() -> None:
    """As in TensorFlow 1.15.5, whose own modules leave these names behind."""
    from retrograd.tf import python
    from retrograd.tf.python.framework import graph_util
    from retrograd.tf.python.ops import control_flow_ops, map_fn, math_ops

    shown = (python.math_ops, python.control_flow_ops, python.map_fn, python.graph_util)
    assert shown == (math_ops, control_flow_ops, map_fn, graph_util)


def test_constant_of_an_inner_module_is_the_second_version() -> None:
    from retrograd.tf.python.framework import constant_op

    assert constant_op.constant([7], shape=[3]).shape.as_list() == [3]
    with pytest.raises(TypeError, match=r"^Expected Tensor's shape: \(3,\), got \(2,\)\.$"):
        constant_op.constant([7, 8], shape=[3])
    assert constant_op.constant_v1([7, 8], shape=[3]).shape.as_list() == [3]


def test_the_projector_writes_its_configuration(tmp_path):
    projector = importlib.import_module("retrograd.tf.contrib.tensorboard.plugins.projector")
    config = projector.ProjectorConfig()
    config.embeddings.add(tensor_name="x", metadata_path="names.tsv")
    projector.visualize_embeddings(str(tmp_path), config)
    assert 'tensor_name: "x"' in (tmp_path / "projector_config.pbtxt").read_text()


def test_what_is_patched_in_an_inner_module_is_called(monkeypatch):
    from retrograd import tf
    from retrograd.tf.python.ops import summary_op_util

    @contextmanager
    def marked(*args, **kwargs):
        with first(*args, **kwargs) as (tag, scope):
            yield f"marked/{tag}", scope

    def tag_of(summary):
        return tf.Summary.FromString(tf.Session().run(summary)).value[0].tag

    first = summary_op_util.summary_scope
    with tf.Graph().as_default():
        monkeypatch.setattr(summary_op_util, "summary_scope", marked)
        assert tag_of(tf.summary.scalar("a", 1.0)) == "marked/a"
        monkeypatch.undo()
        assert tag_of(tf.summary.scalar("b", 1.0)) == "b"


def test_what_is_patched_in_an_inner_module_holds_for_every_part(monkeypatch, tmp_path):
    from retrograd import tf
    from retrograd.tf.python.ops import summary_op_util
    from retrograd.tf.python.training import device_setter

    @contextmanager
    def marked(name, *args, **kwargs):
        with first(name, *args, **kwargs) as (tag, scope):
            yield f"marked/{tag}", scope

    first = summary_op_util.summary_scope
    with tf.Graph().as_default():
        monkeypatch.setattr(summary_op_util, "summary_scope", marked)
        writer = tf.contrib.summary.create_file_writer(str(tmp_path))
        with writer.as_default(), tf.contrib.summary.always_record_summaries():
            written = tf.contrib.summary.scalar("a", 1.0, step=1)
        assert "marked/a" in [op.get_attr("value").string_val[0].decode() for op in _text_constants(written.graph)]
        late = ModuleType("retrograd.imported_since")  # a part that was imported while the name was patched
        late.summary_scope = summary_op_util.summary_scope
        sys.modules[late.__name__] = late
        monkeypatch.setattr(device_setter, "_RoundRobinStrategy", lambda tasks: lambda op: tasks - 1)
        with tf.device(tf.train.replica_device_setter(ps_tasks=3)):
            assert tf.Variable(1.0).device == "/job:ps/task:2"
        monkeypatch.undo()
        assert sys.modules.pop(late.__name__).summary_scope is first
        with tf.device(tf.train.replica_device_setter(ps_tasks=3)):
            assert tf.Variable(1.0).device == "/job:ps/task:0"


def test_metrics_ask_for_what_a_program_put_in_their_place(monkeypatch):
    from retrograd import tf
    from retrograd.tf.python.ops import check_ops, metrics_impl

    counted = []

    def count(labels, predictions, thresholds, weights=None, includes=None):
        with monkeypatch.context() as asked:
            asked.setattr(check_ops, "assert_less_equal", lambda *args, **kwargs: tf.no_op())
            counted.append(first(labels, predictions, thresholds, weights, includes))
        return counted[-1]

    first = metrics_impl._confusion_matrix_at_thresholds
    monkeypatch.setattr(metrics_impl, "_confusion_matrix_at_thresholds", count)
    with tf.Graph().as_default() as graph, tf.Session() as session:
        _, update = tf.metrics.auc(tf.constant([0.0, 1.0]), tf.constant([0.5, 1.5]), num_thresholds=3)
        session.run(tf.local_variables_initializer())
        assert session.run(update) == pytest.approx(1.0, abs=1e-5)
    assert [sorted(values) for values, _ in counted] == [["fn", "fp", "tn", "tp"]]
    assert not [op for op in graph.get_operations() if op.type == "LessEqual"]


def test_the_estimator_of_tpus_is_found_where_it_is_defined():
    from retrograd.tf.python.estimator.tpu import tpu_config, tpu_estimator
    from retrograd.tf.python.tpu.tpu_estimator import ExportSavedModelApiVersion

    assert tpu_estimator.ExportSavedModelApiVersion is ExportSavedModelApiVersion
    assert [version.value for version in ExportSavedModelApiVersion] == [1, 2]
    assert issubclass(tpu_config.RunConfig, importlib.import_module("retrograd.tf.estimator").RunConfig)


def _text_constants(graph):
    return [op for op in graph.get_operations() if op.type == "Const" and op.outputs[0].dtype.name == "string"]


def test_a_name_does_not_go_to_another_definition_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    taken_over = importlib.import_module("write_faces").taken_over
    old, new = ("retrograd.ops.softmax", "softmax"), ("retrograd.ops.activations", "softmax")
    both = {"softmax": [new[0], old[0]]}
    (line,) = taken_over("nn", {"softmax": new}, {"softmax": old}, both)
    assert line.startswith("tensorflow.nn.softmax is retrograd.ops.softmax.softmax; retrograd.ops.activations.softmax")
    assert not taken_over("nn", {"softmax": new}, {"softmax": old}, {"softmax": [new[0]]})  # it has moved
    assert not taken_over("nn", {"softmax": new}, {}, both)


@pytest.mark.parametrize(
    ("place", "arguments"),
    [
        ("framework.tensor_shape.scalar", ""),
        ("ops.gen_string_ops.string_format", "inputs template placeholder summarize name"),
        ("ops.gen_sparse_ops.sparse_dense_cwise_add", "sp_indices sp_values sp_shape dense name"),
        ("ops.gen_math_ops.Sum", "input axis keep_dims name"),
        ("ops.gen_linalg_ops.Qr", "input full_matrices name"),
    ],
)
def test_a_module_holds_its_own_function_and_no_namesake(place: str, arguments: str) -> None:
    module, _, name = place.rpartition(".")
    function = getattr(importlib.import_module(f"retrograd.tf.python.{module}"), name)
    assert list(inspect.signature(function).parameters) == arguments.split()


def test_the_second_version_of_keras_switches_and_updates_as_the_first() -> None:
    second = importlib.import_module("retrograd.tf.compat.v2").keras
    for module, name in (("backend", "switch"), ("backend", "update"), ("activations", "linear")):
        assert getattr(getattr(second, module), name) is getattr(getattr(tf.keras, module), name)


def test_a_module_that_a_part_imports_is_patched_through_its_face(tmp_path):
    import time
    from unittest import mock

    module = importlib.import_module("retrograd.tf.python.training.saver")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.Variable(1.0)
        session.run(tf.global_variables_initializer())
        saver = tf.train.Saver()
        with mock.patch.object(module, "time") as clock:
            clock.time.return_value = 9999.0
            saver.save(session, str(tmp_path / "a"))
        saver.save(session, str(tmp_path / "b"))
    times = [when for _, when in saver._last_checkpoints]
    assert times[0] == 9999.0
    assert times[1] > 10000.0
    assert module.time is time
