"""Checkpoints of ``tf.contrib.eager.Network``s."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode

E = tf.contrib.eager


class Net(E.Network):
    def __init__(self, name: str | None = None) -> None:
        super().__init__(name=name)
        self.first = self.track_layer(tf.layers.Dense(2, use_bias=False))
        self.second = self.track_layer(tf.layers.Dense(1, use_bias=False))

    def call(self, x: Any) -> Any:
        return self.second(self.first(x))


@pytest.fixture(params=["graph", "eager"])
def evaluate(request: pytest.FixtureRequest) -> Any:
    if request.param == "eager":
        with eager_mode():
            yield lambda x: x.numpy()
    else:
        with tf.Graph().as_default(), tf.Session() as sess:
            yield sess.run


def saved(evaluate: Any, path: Path) -> tuple[str, Any]:
    net = Net("saved")
    y = net(tf.ones([1, 3]))
    if not tf.executing_eagerly():
        evaluate(tf.global_variables_initializer())
    return E.save_network_checkpoint(net, str(path)), evaluate(y)


def test_variables_take_their_values_at_once_or_when_they_are_made(evaluate: Any, tmp_path: Path) -> None:
    path, wanted = saved(evaluate, tmp_path)
    assert path == str(tmp_path / "saved")
    assert sorted(name for name, _ in tf.train.list_variables(path)) == ["dense/kernel", "dense_1/kernel"]
    later = Net()
    E.restore_network_checkpoint(later, path)
    assert evaluate(later(tf.ones([1, 3]))) == wanted
    made = Net()
    y = made(tf.ones([1, 3]))
    if not tf.executing_eagerly():
        evaluate(tf.global_variables_initializer())
    E.restore_network_checkpoint(made, path)
    assert evaluate(made(tf.ones([1, 3])) if tf.executing_eagerly() else y) == wanted


def test_names_may_be_mapped_but_not_onto_each_other(evaluate: Any, tmp_path: Path) -> None:
    net = Net("mapped")
    with pytest.raises(ValueError, match=r"Attempt to save the Network before it was first called\."):
        E.save_network_checkpoint(net, str(tmp_path))
    net(tf.ones([1, 3]))
    if not tf.executing_eagerly():
        evaluate(tf.global_variables_initializer())
    with pytest.raises(
        ValueError, match=r"resulted in two variables named 'same' .'mapped/dense/kernel' and 'mapped/dense_1"
    ):
        E.save_network_checkpoint(net, str(tmp_path / "x"), map_func=lambda name: "same")
    path = E.save_network_checkpoint(net, str(tmp_path / "y"), global_step=7, map_func=lambda name: name)
    assert path.endswith("y-7")
    assert tf.train.list_variables(path)[0][0] == "mapped/dense/kernel"
    with pytest.raises(ValueError, match="there is no need to specify an inverse mapping"):
        E.restore_network_checkpoint(net, path, map_func=lambda name: "same")
