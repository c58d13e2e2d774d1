"""``tf.compat.v2`` builds what TensorFlow's builds; modules hide their names; inner names that programs read."""

import json
import sys
from collections import namedtuple
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from golden.second_cases import CASES, recorded

import retrograd.tf as tf
from retrograd.io import tracking
from retrograd.nn.layers import nodes
from retrograd.tf.python.util import all_util, tf_inspect

GOLDEN = json.loads((Path(__file__).parent / "golden" / "second.json").read_text())


@pytest.mark.parametrize("call", CASES)
def test_a_call_builds_and_gives_what_it_does_in_tensorflow(call):
    ours, theirs = recorded(tf, call), GOLDEN[call]
    assert ours.get("error") == theirs.get("error")
    assert ours.get("nodes") == theirs.get("nodes")
    if theirs.get("value") is not None:
        for got, expected in zip(
            *(v if isinstance(v, list) else [v] for v in (ours["value"], theirs["value"])), strict=True
        ):
            np.testing.assert_allclose(got, expected, rtol=1e-6)


def test_arguments_are_shown_without_types():
    shown = tf_inspect.getfullargspec(tf.compat.v2.reduce_sum)
    assert (shown.args, shown.defaults) == (["input_tensor", "axis", "keepdims", "name"], (None, False, None))
    assert shown.annotations == {}
    assert tf_inspect.getfullargspec(tf.cast).args == ["x", "dtype", "name"]


def test_what_no_text_shows_is_taken_from_a_module_and_put_back(monkeypatch):
    module = ModuleType("shop", "What it sells.\n@@bread\n  @@cake\n")
    monkeypatch.setitem(sys.modules, "shop", module)
    module.bread, module.cake, module.flour, module._oven, module.salt = range(5)
    assert all_util.make_all("shop") == ["bread"]
    all_util.remove_undocumented("shop", ["salt"])
    assert [n for n in dir(module) if not n.startswith("__")] == ["_oven", "bread", "salt"]
    all_util.reveal_undocumented("shop.flour")
    assert module.flour == 2
    with pytest.raises(LookupError, match="is not a hidden symbol"):
        all_util.reveal_undocumented("shop.rye")


def test_names_that_programs_read_of_inner_modules():
    from retrograd.tf.contrib import slim
    from retrograd.tf.contrib.learn.python.learn.datasets import mnist
    from retrograd.tf.contrib.metrics.python.ops import set_ops
    from retrograd.tf.python.framework import constant_op
    from retrograd.tf.python.ops import rnn_cell_impl, standard_ops

    with tf.Graph().as_default(), tf.Session() as session:
        assert slim.get_or_create_global_step() is slim.get_global_step()
        assert session.run(standard_ops.reduce_sum([[1, 2]], 1, True)).tolist() == [[3]]
        assert session.run(constant_op._tensor_shape_tensor_conversion_function(tf.TensorShape([2, 3]))).tolist() == [
            2,
            3,
        ]
        assert rnn_cell_impl._concat(3, tf.TensorShape([4]), static=True) == [3, 4]
        assert session.run(rnn_cell_impl._concat(3, 4)).tolist() == [3, 4]
        assert session.run(set_ops.set_size(set_ops.set_union([[1, 2]], [[2, 3]]))).tolist() == [3]
    assert mnist.load_mnist.__defaults__ == ("MNIST-data",)


def test_a_program_may_plan_a_film_and_not_take_it():
    from retrograd.revived.gym.wrappers.monitoring import video_recorder

    recorder = video_recorder.VideoRecorder(None, base_path="film", enabled=False)
    recorder.capture_frame()
    recorder.close()
    assert recorder.path == "film.mp4"
    with pytest.raises(RuntimeError, match="no film without an encoder"):
        video_recorder.VideoRecorder(None, path="film.mp4").capture_frame()


def test_a_mask_ends_at_a_layer_that_does_not_pass_it_on():
    with tf.Graph().as_default():
        words = tf.keras.layers.Embedding(5, 2, mask_zero=True)(tf.keras.layers.Input((3,), dtype="int32"))
        assert tf.keras.layers.Dense(2)(words)._keras_mask is words._keras_mask
        flatten = tf.keras.layers.Flatten()
        assert getattr(flatten(words), "_keras_mask", None) is None
        with pytest.raises(TypeError, match="Layer flatten does not support masking, but was passed an input_mask"):
            flatten.compute_mask(words, words._keras_mask)


def test_a_lazy_module_is_imported_at_the_first_name(monkeypatch):
    from retrograd.tf.python.util.lazy_loader import LazyLoader

    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    names = {}
    names["colors"] = lazy = LazyLoader("colors", names, "colorsys", warning="on its way out")
    assert "colorsys" not in sys.modules
    assert "hsv_to_rgb" in dir(lazy)
    assert lazy.ONE_THIRD == 1 / 3
    assert names["colors"] is sys.modules["colorsys"]
    with pytest.raises(AttributeError):
        lazy.nothing()


def test_what_probability_libraries_inherit_from():
    from retrograd.tf.python.autograph.pyct import transformer
    from retrograd.tf.python.util import nest

    class Pass(transformer.Base):
        pass

    with pytest.raises(NotImplementedError, match="Pass is a pass of TensorFlow's AutoGraph"):
        Pass(None)
    assert nest._is_namedtuple(namedtuple("Point", "x y")(1, 2))
    assert not nest._is_namedtuple((1, 2))


def test_objects_that_stand_for_tensors_are_symbolic(monkeypatch):
    from retrograd.tf.python.framework import tensor_conversion_registry
    from retrograd.tf.python.keras.utils import tf_utils

    monkeypatch.setattr(nodes, "_stand_ins", [])

    class Meters:
        def __init__(self, value):
            self.value = value

    tensor_conversion_registry.register_tensor_conversion_function(Meters, lambda value, **_: value.value)
    with tf.Graph().as_default():
        meters = Meters(tf.constant(1.0))
        assert not tf_utils.is_symbolic_tensor(meters)
        tf_utils.register_symbolic_tensor_type(Meters)
        assert tf_utils.is_symbolic_tensor(meters)


def test_checkpoints_do_not_follow_an_attribute_without_dependency():
    with tf.Graph().as_default():
        module = tf.Module()
        module.kept, module.left = tf.Variable(1.0), module._no_dependency([tf.Variable(2.0)])
        assert isinstance(module.left, list)
        assert len(module.variables) == 2
        assert [name for name, _ in tracking.children(module)] == ["kept"]


def test_private_names_that_forks_of_seq2seq_read():
    from retrograd.tf.contrib.seq2seq.python.ops import attention_wrapper, decoder, helper

    assert helper.TrainingHelper is tf.contrib.seq2seq.TrainingHelper
    mask = [[True, False], [True, True]]
    with tf.Graph().as_default(), tf.Session() as session:
        memory = attention_wrapper._prepare_memory(tf.ones([2, 2, 1]), memory_mask=tf.constant(mask))
        score = attention_wrapper._maybe_mask_score(
            tf.ones([2, 2]), memory_mask=tf.constant(mask), score_mask_value=-1.0
        )
        zeros = decoder._create_zero_outputs((3, tf.TensorShape([1])), (tf.float32, tf.int32), 2)
        step = helper._unstack_ta(tf.reshape(tf.range(4), [2, 2])).read(1)
        assert session.run([memory, score])[0].tolist() == [[[1], [0]], [[1], [1]]]
        assert session.run(score).tolist() == [[1, -1], [1, 1]]
        assert [(z.dtype, z.shape.as_list()) for z in zeros] == [(tf.float32, [2, 3]), (tf.int32, [2, 1])]
        assert session.run(decoder._transpose_batch_time(step[None])).tolist() == [[2], [3]]
        with pytest.raises(ValueError, match="can't be provided at same time"):
            attention_wrapper._prepare_memory(tf.ones([2, 2, 1]), [1, 2], tf.constant(mask))


def test_the_debugger_can_be_imported_and_not_made():
    from retrograd.tf.python.debug import DumpingDebugWrapperSession, LocalCLIDebugHook, has_inf_or_nan

    assert issubclass(LocalCLIDebugHook, tf.train.SessionRunHook)
    for made in (DumpingDebugWrapperSession, LocalCLIDebugHook):
        with pytest.raises(NotImplementedError, match=r"tf\.add_check_numerics_ops"):
            made(None)
    assert has_inf_or_nan(None, np.array([1.0, np.nan]))
    assert not has_inf_or_nan(None, np.array([1, 2]))
    assert not has_inf_or_nan(None, None)


def test_a_class_may_keep_layers_of_its_own_under_their_private_name():
    class Merge(tf.layers.Layer):
        def __init__(self):
            super().__init__()
            self._layers = None
            self._layers = []
            self._layers.append(tf.layers.Dense(2))

        def call(self, inputs):
            return tf.concat([layer(inputs) for layer in self._layers], 1)

    with tf.Graph().as_default():
        merge = Merge()
        assert merge(tf.ones([1, 3])).shape.as_list() == [1, 2]
        assert len(merge.weights) == 2
