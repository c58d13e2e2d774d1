"""Older estimators and what they stand on, against TensorFlow 1.15.5: ``golden/older.json.gz``."""

import numpy as np
import pytest
from golden import older_cases
from recorded_cases import check, golden

from retrograd import tf
from retrograd.tf.contrib import factorization
from retrograd.tf.contrib.tensor_forest.client import random_forest
from retrograd.tf.contrib.tensor_forest.python import tensor_forest
from retrograd.tf.python.ops import resources

GOLDEN = golden("older")
for _record in GOLDEN.values():
    for _node in _record.get("nodes", ()):
        if _node["op"] == "HashTableV2":
            _node["attrs"]["shared_name"] = ""  # TensorFlow's is random


@pytest.mark.parametrize("name", older_cases.CASES)
def test_as_recorded(name):
    check(older_cases, name, GOLDEN[name], nodes=not name.startswith("model"))  # their last node holds results


# -- what is meant to differ -------------------------------------------------------------------


def test_counts_of_a_mini_batch_are_read_before_they_grow():
    points, first = np.float32([[1], [2], [9]]), np.float32([[0], [8]])
    with tf.Graph().as_default(), tf.Session() as session:
        graph = factorization.KMeans(tf.constant(points), 2, first, use_mini_batch=True).training_graph()
        session.run(tf.global_variables_initializer())
        session.run(graph[4])
        session.run(graph[5])
        centers = session.run(tf.trainable_variables()[0])
    np.testing.assert_allclose(centers, [[3 / 3], [8 + 1 / 2]])  # x += (sum d - k x) / (n + k), with n = 1


def test_clusters_are_saved_where_the_input_is_over(tmp_path):
    points = np.random.RandomState(0).rand(20, 2).astype("f")
    model = tf.estimator.experimental.KMeans(3, str(tmp_path), seed=1, use_mini_batch=False)
    for _ in range(3):
        model.train(lambda: tf.train.limit_epochs(tf.constant(points), num_epochs=1))
    assert model.get_variable_value("global_step") == 2  # the first one had no more than its choice of centers
    nearest = list(model.predict_cluster_index(lambda: tf.train.limit_epochs(tf.constant(points), num_epochs=1)))
    distances = ((points[:, None] - model.cluster_centers()) ** 2).sum(-1)
    assert nearest == distances.argmin(1).tolist()


def _forest(steps, **changes):
    """How often a forest is right about a rule, behind a checkpoint."""
    x = np.random.RandomState(0).rand(600, 4).astype("f")
    y = (x[:, 0] > 0.5).astype("i") + (x[:, 1] > 0.3)
    params = tensor_forest.ForestHParams(
        num_classes=3, num_features=4, num_trees=5, max_nodes=40, split_after_samples=30, base_random_seed=3, **changes
    ).fill()
    with tf.Graph().as_default(), tf.Session() as session:
        graph = tensor_forest.RandomForestGraphs(params)
        places = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.int32, [None])
        train = graph.training_graph(*places)
        predicted, size = graph.inference_graph(places[0])[0], graph.average_size()
        start = resources.initialize_resources(resources.shared_resources())
        session.run([tf.global_variables_initializer(), start])
        for i in range(steps):
            rows = slice(i % 6 * 100, i % 6 * 100 + 100)
            session.run(train, {places[0]: x[rows], places[1]: y[rows]})
        return np.mean(session.run(predicted, {places[0]: x}).argmax(1) == y), session.run(size)


def test_a_forest_learns_and_stops_at_its_size():
    right, size = _forest(40)
    assert right > 0.85
    assert 35 <= size <= 41


def test_a_forest_refuses_to_split_leaves_early():
    with pytest.raises(NotImplementedError, match="split when they are full"):
        _forest(1, split_finish_name="hoeffding")


def test_a_forest_in_checkpoints(tmp_path):
    x = np.random.RandomState(0).rand(300, 3).astype("f")
    params = tensor_forest.ForestHParams(
        num_classes=2, num_features=3, num_trees=3, max_nodes=20, split_after_samples=20, base_random_seed=1
    )
    model = random_forest.TensorForestEstimator(params, model_dir=str(tmp_path))
    model.fit(x, (x[:, 0] > 0.5).astype("i"), steps=20, batch_size=50)
    assert model.evaluate(x, (x[:, 0] > 0.5).astype("i"))["accuracy"] > 0.95
