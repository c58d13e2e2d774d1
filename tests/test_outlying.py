"""The outermost names against TensorFlow 1.15.5: ``golden/outlying.json.gz``."""

import numpy as np
import pytest
from golden import outlying_cases
from recorded_cases import check, golden

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.keras import replicas

GOLDEN = golden("outlying")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.parametrize("name", outlying_cases.CASES)
def test_as_recorded(name):
    check(outlying_cases, name, GOLDEN[name], nodes=name not in outlying_cases.TRAININGS)


def test_a_model_of_several_gpus(monkeypatch):
    """Each works on a slice of the batch; what is left over goes to the last."""
    K = tf.keras
    inner = K.Sequential([K.layers.Dense(2, input_shape=(3,), name="d")])
    with pytest.raises(ValueError, match=r"we expect the following devices to be available: \['/cpu:0', '/gpu:0', '/g"):
        K.utils.multi_gpu_model(inner, 2)
    monkeypatch.setattr(replicas, "available_devices", lambda: ["/cpu:0", "/gpu:0", "/gpu:2"])
    for relocated in (False, True):
        model = K.utils.multi_gpu_model(inner, [0, 2], cpu_merge=not relocated, cpu_relocation=relocated)
        assert model.output_names == ["d"]
        x = np.arange(15, dtype="f").reshape(5, 3)
        whole = inner if not relocated else next(m for m in model.layers if isinstance(m, K.Sequential))
        np.testing.assert_allclose(model.predict(x), whole.predict(x), rtol=1e-6)
        model.compile("sgd", "mse")
        before = whole.get_weights()
        model.fit(x, np.ones((5, 2)), verbose=0)
        assert not np.allclose(before[0], whole.get_weights()[0])
    products = [op for op in model.outputs[0].graph.get_operations() if op.type == "MatMul"]
    assert {op.device for op in products if op.name.startswith("replica_2/")} == {"/device:GPU:2"}


@pytest.mark.parametrize("eagerly", [False, True])
def test_steps_are_run_to_the_end_of_the_data(eagerly):
    D = tf.contrib.distribute
    strategy = D.OneDeviceStrategy("/cpu:0")
    with eager_mode() if eagerly else tf.Graph().as_default():
        w = tf.Variable(3.0, use_resource=True)
        step = D.StandardSingleLossStep(
            lambda: tf.data.Dataset.from_tensors(2.0).repeat(8), lambda context, x: (w * x - 1.0) ** 2,
            tf.train.GradientDescentOptimizer(0.01), strategy, 2,
        )  # fmt: skip
        session = None if eagerly else tf.Session()
        monitor = D.Monitor(step, session)
        read = w.numpy if eagerly else lambda: session.run(w)
        monitor.run_steps(2)
        # what TensorFlow 1.15.5 gives
        np.testing.assert_allclose(read(), 2.2909822, rtol=1e-6)
        monitor.run_steps()
        np.testing.assert_allclose(read(), 1.783047, rtol=1e-6)
