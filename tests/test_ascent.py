"""Linear models by dual coordinate ascent, against TensorFlow 1.15.5: ``golden/ascent.json.gz``."""

import numpy as np
import pytest
from golden import ascent_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("ascent")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.parametrize("name", ascent_cases.CASES)
def test_as_recorded(name):
    check(ascent_cases, name, GOLDEN[name], nodes=False, amplified=10)


def test_a_ridge_regression_in_parts_is_the_one_of_the_normal_equations():
    rng = np.random.RandomState(0)
    x, y = rng.randn(50, 6).astype("f"), rng.randn(50).astype("f")
    rows, columns = np.nonzero(np.ones_like(x))
    sparse = tf.contrib.linear_optimizer.SparseFeatureColumn(rows, columns, x.ravel())
    parts = [tf.Variable(tf.zeros([4])), tf.Variable(tf.zeros([2]))]
    examples = {
        "sparse_features": [sparse], "dense_features": [], "example_labels": y, "example_weights": np.ones(50, "f"),
        "example_ids": [str(i) for i in range(50)],
    }  # fmt: skip
    model = tf.contrib.linear_optimizer.SdcaModel(
        examples, {"sparse_features_weights": [parts], "dense_features_weights": []},
        {"loss_type": "squared_loss", "symmetric_l1_regularization": 0.0, "symmetric_l2_regularization": 2.0},
    )  # fmt: skip
    train = model.minimize()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(60):
            sess.run(train)
        sess.run(model.update_weights(train))
        found = np.concatenate(sess.run(parts))
        assert sess.run(model.approximate_duality_gap()) < 1e-5
    np.testing.assert_allclose(found, np.linalg.solve(x.T @ x + 2 * np.eye(6), x.T @ y), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("adaptive", [False, True])
def test_examples_come_in_the_same_order_in_every_run(adaptive):
    rng = np.random.RandomState(0)
    x, y = rng.randn(12, 3).astype("f"), rng.randn(12).astype("f")

    def weights(steps):
        with tf.Graph().as_default(), tf.Session() as sess:
            w = tf.Variable(tf.zeros([3]))
            examples = {
                "sparse_features": [], "dense_features": [tf.constant(x)], "example_labels": y,
                "example_weights": np.ones(12, "f"), "example_ids": [str(i) for i in range(12)],
            }  # fmt: skip
            model = tf.contrib.linear_optimizer.SdcaModel(
                examples, {"sparse_features_weights": [], "dense_features_weights": [w]},
                {"loss_type": "squared_loss", "symmetric_l1_regularization": 0.0,
                 "symmetric_l2_regularization": 1.0, "adaptive": adaptive},
            )  # fmt: skip
            step = model.update_weights(model.minimize())
            sess.run(tf.global_variables_initializer())
            for _ in range(steps):
                sess.run(step)
            return sess.run(w)

    np.testing.assert_array_equal(weights(2), weights(2))
    np.testing.assert_allclose(weights(60), np.linalg.solve(x.T @ x + np.eye(3), x.T @ y), rtol=1e-4, atol=1e-5)
