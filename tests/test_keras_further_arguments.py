"""Layers that take tensors beside their inputs: what made these belongs to the model too.

Names, configurations and messages are TensorFlow 1.15.5's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode

K, k = tf.keras, tf.keras.layers
ONES = np.ones([2, 3], "f")


@pytest.fixture(autouse=True)
def _new_graph() -> Iterator[None]:
    K.backend.clear_session()
    yield
    K.backend.clear_session()


class Added(k.Layer):
    """x + y, and what is under "a" in z."""

    def call(self, x: Any, y: Any, z: Any = None) -> Any:
        return x + y if z is None else x + y + z["a"]


ADDED: dict[str, tuple[Callable[[Any], Any], float, list[str], Any]] = {
    "a layer in second place": (
        lambda x: Added(name="sum")(x, k.Dense(3, kernel_initializer="ones", name="d")(x)), 4.0,
        ["x", "d", "sum"], {"y": ["d", 0, 0]},
    ),
    "a layer by name": (
        lambda x: Added(name="sum")(x, y=k.Dense(3, kernel_initializer="ones", name="d")(x)), 4.0,
        ["x", "d", "sum"], {"y": ["d", 0, 0]},
    ),
    "an op by name": (
        lambda x: Added(name="sum")(x, y=x * 2.0), 3.0, ["x", "tf_op_layer_mul", "sum"],
        {"y": ["tf_op_layer_mul", 0, 0]},
    ),
    "ops in a structure": (
        lambda x: Added(name="sum")(x, y=x * 2.0, z={"a": x * 3.0}), 6.0,
        ["x", "tf_op_layer_mul", "tf_op_layer_mul_1", "sum"],
        {"y": ["tf_op_layer_mul", 0, 0], "z": {"a": ["tf_op_layer_mul_1", 0, 0]}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("name", ADDED)
def test_what_made_another_argument_belongs_to_the_model(name: str, at_once: bool) -> None:
    build, value, names, arguments = ADDED[name]
    with eager_mode() if at_once else nullcontext():
        x = k.Input([3], name="x")
        model = K.Model(x, build(x))
        assert len(model.trainable_weights) == 2 * ("d" in names)
        config = model.get_config()
        if not at_once:  # the graph of models beside eager execution has the ops of other tests
            assert [layer.name for layer in model.layers] == names
            assert config["layers"][-1]["inbound_nodes"] == [[["x", 0, 0, arguments]]]
        again = K.Model.from_config(config, {"Added": Added})
        for each in (model, again):
            np.testing.assert_array_equal(each.predict(ONES), value * ONES)
            y = each(tf.constant(ONES))
            np.testing.assert_array_equal(y.numpy() if at_once else K.backend.get_session().run(y), value * ONES)
        model.compile("sgd", "mse")
        assert model.train_on_batch(ONES, ONES) == (value - 1.0) ** 2


def test_an_argument_from_elsewhere_is_no_part_of_the_model() -> None:
    x, other = k.Input([3], name="x"), k.Input([3], name="other")
    words = re.escape(
        'Graph disconnected: cannot obtain value for tensor Tensor("other:0", shape=(?, 3), dtype=float32) at layer '
        "\"other\". The following previous layers were accessed without issue: ['x']"
    )
    with pytest.raises(ValueError, match=words):
        K.Model(x, Added()(x, other))
    assert [layer.name for layer in K.Model(x, Added(name="sum")(x, tf.ones([1, 3]))).layers] == ["x", "sum"]
    state = k.Input([2], name="state")
    steps = k.Input([4, 3], name="steps")
    model = K.Model([steps, state], k.GRU(2, name="gru")(steps, initial_state=state * 2.0))
    assert [layer.name for layer in model.layers] == ["state", "steps", "tf_op_layer_mul", "gru"]


def test_layers_of_tf_layers_are_in_no_model() -> None:
    x, old = k.Input([3]), tf.layers.Dense(1)
    words = re.escape(f"The following are legacy tf.layers.Layers:\n  {old}\nTo use keras as a framework")
    for build in (lambda: K.Model(x, old(x)), lambda: K.Sequential([k.Dense(1), old])):
        with pytest.raises(TypeError, match=words) as caught:
            build()
        assert caught.value.__notes__ == ["  Fix:   tf.keras.layers.Dense(...)"]
