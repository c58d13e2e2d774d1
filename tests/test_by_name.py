"""Layers, losses, metrics, functions and libraries by name against TensorFlow 1.15.5: ``golden/by_name.json.gz``."""

from operator import attrgetter
from pathlib import Path
from types import ModuleType

import pytest
from called_names import called
from golden import by_name_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("by_name")
# Nodes are not compared: names and orders by chance, gradients of loops, marks for a compiler.
_VALUES_ONLY = (
    "file",
    "scale_gradient",
    "swish",
    "RevBlock",
    "StackedRNNCells",
    "CompiledWrapper",
    "MeanTensor",
    "A(Q.Metric)",
)
_MODULES = """
    contrib.crf contrib.grid_rnn contrib.layers contrib.legacy_seq2seq contrib.losses contrib.losses.metric_learning
    contrib.metrics contrib.nn contrib.rnn contrib.seq2seq keras.activations keras.constraints keras.initializers
    keras.layers keras.losses keras.metrics keras.regularizers layers losses metrics nn nn.rnn_cell
"""
# Classes to derive from, and tuples that results come in.
_ABSTRACT = """
    AttentionMechanism AttentionWrapperState BasicDecoderOutput BeamSearchDecoderOutput BeamSearchDecoderState
    Constraint Decoder FinalBeamSearchDecoderOutput FusedRNNCell Initializer LayerRNNCell LSTMBlockWrapper Regularizer
    namedtuple
"""


@pytest.mark.parametrize("name", by_name_cases.CASES)
def test_as_recorded(name):
    check(by_name_cases, name, GOLDEN[name], nodes=not any(word in name for word in _VALUES_ONLY))


def test_recordings_call_every_name(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "golden"))
    found = called()
    missing = [
        f"{path}.{name}"
        for path in _MODULES.split()
        for name, value in vars(attrgetter(path)(tf)).items()
        if callable(value) and not isinstance(value, ModuleType) and not name.startswith("_")
        and name not in _ABSTRACT.split() and id(value) not in found
    ]  # fmt: skip
    assert " ".join(missing) == ""


def test_a_library_of_compiled_ops_says_what_it_lacks(tmp_path, monkeypatch):
    (tmp_path / "ops.so").write_bytes(b"\x7fELF".ljust(64, b"\0"))
    (tmp_path / "text.so").write_text("no library " * 9)
    with pytest.raises(tf.errors.NotFoundError, match=r"^libtensorflow_framework.so.1: cannot open") as caught:
        tf.load_op_library(str(tmp_path / "ops.so"))
    assert "tf.py_func" in caught.value.__notes__[0]
    with pytest.raises(tf.errors.NotFoundError, match=r"text.so: invalid ELF header"):
        tf.load_library(str(tmp_path / "text.so"))
    with pytest.raises(tf.errors.NotFoundError, match=r"^libtensorflow_framework"):
        tf.load_library(tmp_path)  # the first of the folder
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    with pytest.raises(tf.errors.NotFoundError, match=r"^libtensorflow_framework"):
        tf.load_op_library("ops.so")
    (tmp_path / "empty").mkdir()
    assert tf.load_library(tmp_path / "empty") is None


def test_a_temporary_variable_is_destroyed_by_its_name():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.raw_ops.TemporaryVariable(shape=[1], dtype=tf.float32, var_name="a")
        assert session.run(tf.raw_ops.DestroyTemporaryVariable(ref=v, var_name="a")) == [0]
        with pytest.raises(tf.errors.NotFoundError, match=r"^Resource __per_step_\d+/b/N10tensorflow19Tempora"):
            session.run(tf.raw_ops.DestroyTemporaryVariable(ref=v, var_name="b"))
