"""``tf.contrib.losses.metric_learning.cluster_loss`` against TensorFlow 1.15.5."""

import json
import sys

import numpy as np
import pytest
from golden import cluster_loss_cases

from retrograd import tf
from retrograd.nn.contrib import cluster_loss


def test_losses_and_gradients_are_as_recorded():
    pytest.importorskip("sklearn")
    want = json.loads((cluster_loss_cases.HERE / "cluster_loss.json").read_text())
    got = cluster_loss_cases.results(tf)
    assert got.keys() == want.keys()
    for name, numbers in want.items():
        np.testing.assert_allclose(got[name], numbers, rtol=1e-4, err_msg=name)


def test_refinement_moves_chosen_examples_to_the_middle_of_their_clusters():
    places = np.float32([0, 1, 2, 10, 11, 12])
    distances = np.abs(places[:, None] - places)
    labels = np.array([0, 0, 0, 1, 1, 1])
    chosen = cluster_loss._chosen(distances, labels, np.float32(0), True, lambda labels, clusters: np.float32(1))
    assert sorted(chosen) == [1, 4]


def test_scikit_learn_is_asked_for(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"^Cluster loss depends on sklearn\.$"):
        tf.contrib.losses.metric_learning.cluster_loss(tf.constant([0, 1]), tf.zeros([2, 3]), 1.0)


def test_unknown_scores_are_refused(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: sys)
    with pytest.raises(ValueError, match=r"^Unrecognized margin_type: f1$"):
        tf.contrib.losses.metric_learning.cluster_loss(tf.constant([0, 1]), tf.zeros([2, 3]), 1.0, margin_type="f1")
