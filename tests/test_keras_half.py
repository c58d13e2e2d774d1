"""Half precision in Keras: policies, variables that are read in another dtype, scaled losses; against TensorFlow."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import keras_graph_cases, keras_half_cases
from recorded_cases import golden

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.nn.layers import policies

GOLDEN = golden("keras_half")
K, k, half = tf.keras, tf.keras.layers, tf.keras.mixed_precision.experimental


@pytest.fixture(autouse=True)
def _new_graph() -> Any:
    K.backend.clear_session()
    yield
    half.set_policy(None)
    K.backend.clear_session()


@pytest.mark.parametrize("name", keras_half_cases.SCALES)
def test_graphs_of_scaled_losses_are_as_recorded(name: str) -> None:
    values = {"tf": tf, "np": np, "SCALE": keras_half_cases.SCALES[name]}
    exec(keras_half_cases.GRAPH, values)
    assert keras_graph_cases.nodes_of(tf.get_default_graph()) == GOLDEN["graphs"][name]["nodes"]
    np.testing.assert_allclose(values["losses"], GOLDEN["graphs"][name]["losses"], rtol=2e-3)


@pytest.mark.parametrize("code", keras_half_cases.WRONG)
def test_what_does_not_go_together_is_refused(code: str) -> None:
    want = GOLDEN["errors"][code]
    try:
        with pytest.raises((ValueError, TypeError, NotImplementedError)) as caught:
            exec(code, {"tf": tf, "K": K, "half": half})
    finally:
        policies.halved["rewrite"] = False
    assert [caught.type.__name__, re.sub(r"<[^>]*at 0x[^>]*>", "<>", str(caught.value))] == want


def test_layers_that_settle_their_dtypes_cast_inputs_and_variables() -> None:
    rows: list[Any] = []
    with eager_mode(), policies.v2_dtype_behavior(True):
        exec(keras_half_cases.EAGER, {"tf": tf, "np": np, "say": lambda *row: rows.append(list(row))})
    for got, want in zip(json.loads(json.dumps(rows)), GOLDEN["eager"], strict=True):
        if want[0] == "losses":
            np.testing.assert_allclose(got[1], want[1], rtol=2e-3)
            assert got[2:] == want[2:]
        else:
            assert got == want


def test_a_variable_is_read_in_the_dtype_of_its_layer_and_assigned_in_its_own() -> None:
    from retrograd.state.autocast import AutoCastVariable, variables_read_as

    v = AutoCastVariable(tf.Variable([1.0, 2.0], use_resource=True, name="v"))
    with variables_read_as("float16"):
        assert repr(v) == "<AutoCastVariable 'v:0' shape=(2,) dtype=float16 true_dtype=float32>"
        read, row, step = v + 1, v.sparse_read([0]), v.assign([3.0, 4.0])
        assert (read.dtype, row.dtype, tf.identity(v).dtype) == (tf.float16,) * 3
    assert v.dtype == v.true_dtype == tf.identity(v).dtype == tf.float32
    assert tf.gradients(read, v)[0].dtype == tf.float32
    with variables_read_as("int32"):
        assert v.dtype == tf.float32
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert sess.run(step).tolist() == [3.0, 4.0]
    with pytest.raises(ValueError, match="variable must be of type tf"):
        AutoCastVariable(tf.Variable(1.0, use_resource=False))
    with pytest.raises(ValueError, match="must be a floating point variable but has type: int32"):
        AutoCastVariable(tf.Variable(1, use_resource=True))


def test_a_scale_is_saved_with_the_optimizer(tmp_path: Path) -> None:
    with eager_mode():
        v = tf.Variable(1.0)
        scale = tf.train.experimental.DynamicLossScale(4.0, increment_period=1)
        opt = half.LossScaleOptimizer(K.optimizers.SGD(1.0, momentum=0.5), scale)
        opt.apply_gradients([(tf.constant(1.0), v)])
        path = tf.train.Checkpoint(v=v, opt=opt).save(str(tmp_path / "c"))
        keys = {name for name, _ in tf.train.list_variables(path)}
        assert "opt/loss_scale/current_loss_scale/.ATTRIBUTES/VARIABLE_VALUE" in keys
        assert "v/.OPTIMIZER_SLOT/opt/base_optimizer/momentum/.ATTRIBUTES/VARIABLE_VALUE" in keys
        scale._current_loss_scale.assign(1.0)
        tf.train.Checkpoint(v=v, opt=opt).restore(path)
        assert float(opt.loss_scale()) == 8.0
