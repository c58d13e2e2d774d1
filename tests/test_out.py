"""Graphs as functions of JAX, and as programs beside their weights."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

import retrograd
from retrograd import cli, tf
from retrograd.run.lowering import NotLowered

GRAPHS = Path(__file__).parent / "golden" / "graphs"
DRAW = np.random.RandomState(0)
X = DRAW.randn(3, 4).astype(np.float32)


def model(repeated: bool = False) -> tuple[Any, Any, Any]:
    """x, a loss of a layer, or of a recurrence on it, and an op that trains."""
    tf.set_random_seed(1)
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    h = tf.layers.dense(x, 5, tf.nn.relu, name="layer")
    if repeated:
        _, h = tf.while_loop(lambda i, z: i < 3, lambda i, z: (i + 1, tf.tanh(z) * 1.5), [0, h])
    loss = tf.reduce_mean(h**2, name="loss")
    return x, loss, tf.train.AdamOptimizer(0.1).minimize(loss)


def test_a_function_of_parameters_and_inputs() -> None:
    """Jitted, differentiated and mapped, it gives what the session gives."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x, loss, _ = model(repeated=True)
        weights = tf.trainable_variables()
        gradients = tf.gradients(loss, weights)
        sess.run(tf.global_variables_initializer())
        function, parameters = retrograd.to_jax({"loss": loss}, x)
        assert sorted(parameters) == ["layer/bias", "layer/kernel"]
        want, derivatives = sess.run([loss, gradients], {x: X})
    np.testing.assert_allclose(function(parameters, X)["loss"], want, rtol=1e-6)
    np.testing.assert_allclose(jax.jit(function)(parameters, X)["loss"], want, rtol=1e-6)
    found = jax.grad(lambda p: function(p, X)["loss"])(parameters)
    for variable, derivative in zip(weights, derivatives, strict=True):
        np.testing.assert_allclose(found[variable.op.name], derivative, rtol=1e-4, atol=1e-6)
    mapped = jax.vmap(lambda v: function(parameters, v)["loss"])(np.stack([X, X + 1]))
    np.testing.assert_allclose(mapped[0], want, rtol=1e-6)


def test_convolutions_leave_as_those_of_xla() -> None:
    """A session computes large ones with a library of this machine, which JAX can neither differentiate nor export."""
    given = DRAW.randn(4, 28, 28, 8).astype(np.float32)
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, given.shape, name="x")
        y = tf.layers.separable_conv2d(tf.layers.conv2d(x, 32, 3, name="layer"), 16, 3, strides=2)
        loss = tf.reduce_mean(y**2)
        slope = tf.gradients(loss, tf.get_collection("trainable_variables", "layer/kernel")[0])[0]
        sess.run(tf.global_variables_initializer())
        function, parameters = retrograd.to_jax(loss, x)
        want = sess.run(slope, {x: given})
    found = jax.grad(lambda p: function(p, given))(parameters)["layer/kernel"]
    np.testing.assert_allclose(found, want, rtol=1e-3, atol=1e-6)
    exported = jax.export.export(jax.jit(function), platforms=("cpu", "tpu"))(parameters, given)
    np.testing.assert_allclose(exported.call(parameters, given), function(parameters, given), rtol=1e-5)


def test_a_step_of_training_gives_new_parameters() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x, loss, train = model()
        sess.run(tf.global_variables_initializer())
        with pytest.raises(ValueError, match="writes a variable") as caught:
            retrograd.to_jax(train, x)
        assert "updates=True" in caught.value.__notes__[0]
        function, parameters = retrograd.to_jax([loss, train], x, updates=True)
        step = jax.jit(function)
        losses = []
        for _ in range(3):
            (value, nothing), parameters = step(parameters, X)
            assert nothing is None
            losses.append(value)
        np.testing.assert_allclose(losses, [sess.run([loss, train], {x: X})[0] for _ in range(3)], rtol=1e-5)


def test_steps_of_training_are_scanned() -> None:
    """What a step gives has the dtypes of what it takes, where JAX has no 64-bit numbers too."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x, loss, _ = model()
        train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, tf.train.get_or_create_global_step())
        sess.run(tf.global_variables_initializer())
        function, parameters = retrograd.to_jax([loss, train], x, updates=True)

        def step(parameters: Any, _: Any) -> Any:
            (value, _), parameters = function(parameters, X)
            return parameters, value

        end, losses = jax.lax.scan(step, parameters, None, 3)
        np.testing.assert_allclose(losses, [sess.run([loss, train], {x: X})[0] for _ in range(3)], rtol=1e-5)
    assert end["global_step"] == 3


def test_random_numbers_by_the_run() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        function, parameters = retrograd.to_jax(tf.random_uniform([4], seed=3))
        first = sess.run(tf.get_default_graph().get_operations()[-1].outputs[0])
    np.testing.assert_array_equal(function(parameters), first)
    assert not np.array_equal(function(parameters, draw=1), first)


def test_stopped_gradients_are_constants_of_jax() -> None:
    with tf.Graph().as_default(), tf.Session():
        x = tf.placeholder(tf.float32, [])
        function, parameters = retrograd.to_jax(x * tf.stop_gradient(x), x)
    assert jax.grad(lambda v: function(parameters, v))(3.0) == 3.0


def test_what_cannot_leave_says_so() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [])
        with pytest.raises(NotLowered, match="PyFunc"):
            retrograd.to_jax(tf.py_func(np.sin, [x], tf.float32), x)
        v = tf.get_variable("weight", [2])
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value weight"):
            retrograd.to_jax(v * x, x)
        sess.run(v.initializer)
        function, parameters = retrograd.to_jax(v * x, [x])
        with pytest.raises(KeyError, match="no parameter 'weight'; the nearest name is 'weights'"):
            function({"weights": parameters["weight"]}, [1.0])
    with tf.Graph().as_default(), pytest.raises(ValueError, match="No default session"):
        retrograd.to_jax(tf.constant(1.0))


def test_a_program_stands_alone(tmp_path: Path) -> None:
    """It runs in a process that has JAX and safetensors, and nothing of this package."""
    folder = str(tmp_path / "out")
    with tf.Graph().as_default(), tf.Session() as sess:
        x, loss, _ = model()
        sess.run(tf.global_variables_initializer())
        retrograd.export_program(folder, {"loss": loss}, {"x": x}, sess, shapes={"x": (3, 4)})
        want = sess.run(loss, {x: X})
    call, parameters = retrograd.load_program(folder)
    np.testing.assert_allclose(call(parameters, {"x": X})["loss"], want, rtol=1e-6)
    np.save(tmp_path / "x.npy", X)
    program = (
        "import jax, sys, numpy as np; from safetensors.numpy import load_file\n"
        f"e = jax.export.deserialize(bytearray(open({folder!r} + '/program.stablehlo', 'rb').read()))\n"
        f"p = load_file({folder!r} + '/weights.safetensors')\n"
        f"print(float(e.call(p, {{'x': np.load({str(tmp_path / 'x.npy')!r})}})['loss']), 'retrograd' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    value, has_retrograd = done.stdout.split()
    assert float(value) == pytest.approx(float(want), rel=1e-6)
    assert has_retrograd == "False"
    (tmp_path / "out/weights.safetensors").write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"weights\.safetensors holds no weights"):
        retrograd.load_program(folder)


def test_unknown_sizes_stay_unknown_where_nothing_computes_with_them(tmp_path: Path) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 4])
        sess.run(tf.global_variables_initializer())
        retrograd.export_program(tmp_path / "any", {"y": tf.tanh(x) * 2.0}, {"x": x}, sess)
        call, parameters = retrograd.load_program(tmp_path / "any")
        assert [call(parameters, {"x": np.zeros((n, 4), np.float32)})["y"].shape for n in (1, 7)] == [(1, 4), (7, 4)]
        with pytest.raises(ValueError, match="cannot be for every size of the input 'x'") as caught:
            retrograd.export_program(tmp_path / "one", {"y": tf.zeros(tf.shape(x))}, {"x": x}, sess)
        assert "--shape x=1,4" in caught.value.__notes__[0]


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SavedModels, checkpoints with their graphs, and frozen graphs leave in one way."""
    out = str(tmp_path / "m")
    assert cli.main(["export", str(GRAPHS / "saved_model"), out, "--shape", "x=2,2"]) == 0
    assert capsys.readouterr().out == f"{out}: x -> y\n"
    call, parameters = retrograd.load_program(out)
    assert call(parameters, {"x": np.float32([[1, 1], [2, 0]])})["y"].tolist() == [[8.0], [7.0]]
    assert json.loads((tmp_path / "m/program.json").read_text())["inputs"]["x"]["shape"] == [2, 2]
    names = ["--inputs", "x", "--outputs", "while/Exit_1:0"]
    assert cli.main(["export", str(GRAPHS / "loop"), out, *names]) == 0
    call, parameters = retrograd.load_program(out)
    record = json.loads((GRAPHS.parent / "imports.json").read_text())["graphs"]["loop"]
    at = record["fetches"].index("while/Exit_1:0")
    found = call(parameters, {"x": np.float32([0.5, -0.25, 1.0])})
    np.testing.assert_allclose(found["while/Exit_1"], record["values"][at], rtol=1e-5)
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        tf.train.import_meta_graph(str(GRAPHS / "loop.meta")).restore(sess, str(GRAPHS / "loop"))
        frozen = tf.graph_util.convert_variables_to_constants(sess, graph.as_graph_def(), ["while/Exit_1"])
    tf.train.write_graph(frozen, str(tmp_path), "frozen.pb", as_text=False)
    assert cli.main(["export", str(tmp_path / "frozen.pb"), out, *names]) == 0
    assert cli.main(["export", str(tmp_path / "nothing"), out]) == 1
    assert "is no SavedModel, no checkpoint" in capsys.readouterr().err
    assert cli.main(["export", str(tmp_path / "frozen.pb"), out, "--outputs", "nope"]) == 1
    assert "nope" in capsys.readouterr().err
