"""Lists and dicts that become attributes of objects that are saved: what they are, and what checkpoints say of them."""

from __future__ import annotations

import collections
import copy
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.nn.layers.wrapped_containers import DictWrapper, ListWrapper


def _held(value: Any) -> Any:
    root = tf.contrib.checkpoint.Checkpointable()
    root.value = value
    return root.value


@pytest.fixture
def v() -> Any:
    with tf.Graph().as_default():
        yield tf.Variable(1.0, use_resource=True)


def test_plain_lists_and_dicts_are_wrapped_and_no_others() -> None:
    class Other(dict[str, int]):
        pass

    inner = [[1], {"b": [2]}, (3,)]
    wrapped = _held(inner)
    assert repr(wrapped) == "ListWrapper([ListWrapper([1]), DictWrapper({'b': ListWrapper([2])}), (3,)])"
    assert wrapped[0] is inner[0]
    assert repr(_held(collections.OrderedDict(a=1))).startswith("DictWrapper(OrderedDict(")
    assert str(_held({"a": 1})) == f"{_held({'a': 1})}" == "{'a': 1}"
    for left in (Other(a=1), collections.defaultdict(int), (1, [2]), {1}, collections.deque([1])):
        assert _held(left) is left


def test_a_wrapper_is_a_list_or_a_dict_and_shares_its_elements() -> None:
    given: list[Any] = [1, 2]
    held = _held(given)
    given.append(3)
    held.append(4)
    assert held == given == [1, 2, 3, 4]
    assert json.dumps(held) == "[1, 2, 3, 4]"
    assert [0, *held[1:]] == [0, 2, 3, 4]
    assert type(held.__add__([1])) is type(held.__radd__([1])) is type(2 * held) is ListWrapper
    assert type(held[:1]) is list
    assert isinstance(pickle.loads(pickle.dumps(held)), ListWrapper)
    with pytest.raises(TypeError, match="unhashable"):
        hash(held)

    mapping: dict[str, Any] = {"a": [1]}
    held = _held(mapping)
    mapping["b"] = 2
    held["c"] = 3
    assert isinstance(held, dict)
    assert held == mapping == dict(**held)
    assert type(held.copy()) is type(copy.deepcopy(held)) is DictWrapper
    assert type(pickle.loads(pickle.dumps(held))) is dict
    with pytest.raises(TypeError, match="unhashable"):
        hash(held)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (lambda w, v: w.append(v), ["1", "3"]), (lambda w, v: w.extend([v, [2]]), ["1", "3", "4"]),
        (lambda w, v: w.__setitem__(0, 7), ["1"]), (lambda w, v: w.__setitem__(0, [1]), ["1", "0"]),
        (lambda w, v: w.reverse(), ["1"]), (lambda w, v: w.__imul__(2), ["1", "4"]),
    ],
)  # fmt: skip
def test_a_list_that_only_grows_is_saved(change: Any, names: list[str], v: Any) -> None:
    held = _held([1, v, 3])
    change(held, v)
    assert [name for name, _ in held._checkpoint_dependencies] == names


@pytest.mark.parametrize(
    "change",
    [
        lambda w: w.insert(3, 4), lambda w: w.pop(), lambda w: w.remove(3), lambda w: w.clear(),
        lambda w: w.__setitem__(1, 7), lambda w: w.__delitem__(0), lambda w: w.sort(key=id),
        lambda w: w.__setitem__(slice(None), [2, 8]),
    ],
)  # fmt: skip
def test_a_list_whose_elements_moved_is_not_saved(change: Any, v: Any, tmp_path: Path) -> None:
    root = tf.train.Checkpoint()
    root.value = [1, v, 3]
    change(root.value)
    with pytest.raises(ValueError, match=r"^Unable to save the object ListWrapper\(.*A list element was replaced"):
        root.write(str(tmp_path / "x"))
    with pytest.raises(ValueError, match=r"^Unable to save"):
        tf.contrib.checkpoint.list_objects(copy.copy(root.value))


def test_changes_past_a_wrapper_are_told(v: Any) -> None:
    given: list[Any] = [v]
    held = _held(given)
    given.append(v)
    with pytest.raises(ValueError, match="The wrapped list was modified outside the wrapper"):
        _ = held._checkpoint_dependencies
    mapping: dict[Any, Any] = {}
    held = _held(mapping)
    mapping["a"] = v
    with pytest.raises(ValueError, match="The wrapped dictionary was modified outside the wrapper"):
        _ = held._checkpoint_dependencies
    held = _held({})
    held[1] = v
    with pytest.raises(ValueError, match="contains a non-string key which maps to a trackable object"):
        _ = held._checkpoint_dependencies
    held = _held({})
    held[1], held["a"] = 3, tf.contrib.checkpoint.NoDependency([v])
    assert (held._checkpoint_dependencies, type(held["a"])) == ([], list)


def _variables_of(model: Any) -> list[str]:
    return [v.name.split(":")[0] for v in model.weights]


def test_a_subclassed_model_lists_what_its_containers_hold_and_then_its_own() -> None:
    """As TensorFlow 1.15.5: a variable in a list is the list's and the model's; layers in a tuple are nobody's."""

    class Own(tf.keras.Model):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.several = [tf.Variable(2.0, use_resource=True, name="listed")]
            self.first = tf.keras.layers.Dense(1, name="first")
            self.both = [self.first, tf.keras.layers.Dense(1, name="second")]
            self.apart = (tf.keras.layers.Dense(1, name="third"), tf.Variable(5.0, use_resource=True, name="apart"))

        def call(self, x: Any) -> Any:
            return self.both[1](self.first(x)) * self.several[0]

    with tf.Graph().as_default():
        model = Own()
        model(tf.ones([1, 2]))
        first, second = (["own/" + n + "/" + w for w in ("kernel", "bias")] for n in ("first", "second"))
        assert _variables_of(model) == ["listed", *first, *first, *second, "listed", "apart"]
        assert [layer.name for layer in model.layers] == ["first", "second"]
        model.trainable = False
        assert (model.trainable_weights, model.both.trainable, model.both[1].trainable) == ([], False, True)


def test_fit_changes_a_variable_of_a_list_once_a_step() -> None:
    class Scaled(tf.keras.Model):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.scale = [tf.Variable(1.0, use_resource=True)]
            self.dense = tf.keras.layers.Dense(1, kernel_initializer="ones")

        def call(self, x: Any) -> Any:
            return self.dense(x) * self.scale[0]

    with tf.Graph().as_default():
        model = Scaled()
        model.compile(tf.keras.optimizers.SGD(0.1), "mse")
        losses = model.fit(np.ones([4, 2], "f"), np.zeros([4, 1], "f"), epochs=2, verbose=0).history["loss"]
    assert losses == pytest.approx([4.0, 0.0256])


def test_a_functional_model_has_no_weights_but_its_layers() -> None:
    with tf.Graph().as_default():
        x = tf.keras.Input((2,))
        model = tf.keras.Model(x, tf.keras.layers.Dense(1, name="only")(x))
        model.extra = [tf.Variable(1.0), tf.keras.layers.Dense(3)]
        assert _variables_of(model) == ["only/kernel", "only/bias"]


def test_the_configuration_of_a_layer_holds_what_its_wrappers_hold() -> None:
    class Sized(tf.keras.layers.Layer):  # type: ignore[misc, name-defined]
        def __init__(self, sizes: Any, options: Any, **kwargs: Any) -> None:
            super().__init__(**kwargs)
            self.sizes, self.options = sizes, options

        def call(self, x: Any) -> Any:
            return x

        def get_config(self) -> Any:
            return {**super().get_config(), "sizes": self.sizes, "options": self.options}

    with tf.Graph().as_default():
        x = tf.keras.Input((2,))
        text = tf.keras.Model(x, Sized([1, 2], {"a": [3]})(x)).to_json()
        assert '"sizes": [1, 2], "options": {"a": [3]}' in text
        again = tf.keras.models.model_from_json(text, custom_objects={"Sized": Sized})
        assert repr(again.layers[1].options) == "DictWrapper({'a': ListWrapper([3])})"


def test_batch_renormalization_stands_in_the_configuration() -> None:
    layer = tf.keras.layers.BatchNormalization(renorm=True, renorm_clipping={"rmax": 2.0})
    assert tf.keras.layers.BatchNormalization.from_config(layer.get_config()).renorm_clipping == {"rmax": 2.0}
    assert "renorm" not in tf.keras.layers.BatchNormalization().get_config()


def test_wrapped_arguments_of_functions_are_of_the_same_kind() -> None:
    tf.nest.assert_same_structure([1], ListWrapper([1]))
    tf.nest.assert_same_structure({1: "a"}, DictWrapper({1: "a"}))


def test_a_checkpoint_with_tensorflows_empty_lists_is_consumed(tmp_path: Path) -> None:
    """TensorFlow 1.15.5 saves the list of updates of a batch normalization, which is empty."""
    with tf.Graph().as_default(), tf.Session() as session:
        written, layer = tf.keras.layers.BatchNormalization(), tf.keras.layers.BatchNormalization()
        for each in (written, layer):
            each.build((None, 2))
        written._track_trackable(ListWrapper(), "_updates")
        session.run(tf.global_variables_initializer())
        path = tf.train.Checkpoint(layer=written).save(str(tmp_path / "x"), session=session)
        tf.train.Checkpoint(layer=layer).restore(path).assert_consumed()


def test_models_of_tests_hold_each_layer_once() -> None:
    from retrograd.testing import keras_models

    with tf.Graph().as_default():
        model = keras_models._Layered(lambda: [tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)])
        model(tf.ones([1, 3]))
        assert len(model.trainable_variables) == 4
