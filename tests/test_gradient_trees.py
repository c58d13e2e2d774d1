"""``tf.contrib.boosted_trees`` against TensorFlow 1.15.5: ``golden/gradient_trees.json.gz``."""

from __future__ import annotations

import numpy as np
import pytest
from golden import gradient_tree_cases as cases
from recorded_cases import golden

from retrograd import tf
from retrograd.tf.contrib.boosted_trees.estimator_batch import dnn_tree_combined_estimator as combined
from retrograd.tf.contrib.boosted_trees.estimator_batch import estimator
from retrograd.tf.contrib.boosted_trees.proto import learner_pb2, tree_config_pb2

GOLDEN = golden("gradient_trees")


@pytest.mark.parametrize("name", cases.CASES)
def test_models_as_recorded(name):
    found, wanted = cases.run(tf, estimator, learner_pb2, tree_config_pb2, name), GOLDEN[name]
    for key in ("nodes", "attempts", "columns", "saved"):
        assert found[key] == wanted[key], key
    np.testing.assert_allclose(found["weights"], wanted["weights"], rtol=1e-6)
    for key in ("metrics", "predictions"):
        assert found[key].keys() == wanted[key].keys()
        for part, values in wanted[key].items():
            np.testing.assert_allclose(found[key][part], values, rtol=2e-4, atol=2e-5, err_msg=part)


def test_a_network_is_trained_first_and_trees_behind(tmp_path):
    config = learner_pb2.LearnerConfig(num_classes=2)
    config.constraints.max_tree_depth = 2
    column = tf.contrib.layers.real_valued_column("x", dimension=4)
    model = combined.DNNBoostedTreeCombinedRegressor(
        [3], [column], config, num_trees=2, tree_examples_per_layer=cases.COUNT, dnn_steps_to_train=3,
        model_dir=str(tmp_path), tree_feature_columns=[], config=tf.contrib.learn.RunConfig(tf_random_seed=1),
    )  # fmt: skip

    def input_fn():
        return cases.features(tf, "d"), tf.constant(cases.Y.reshape(-1, 1))

    def state():
        reader = tf.train.load_checkpoint(str(tmp_path))
        ensemble = tree_config_pb2.DecisionTreeEnsembleConfig.FromString(reader.get_tensor("ensemble_model:0_config"))
        return len(ensemble.trees), reader.get_tensor("dnn/hiddenlayer_0/weights")

    model.fit(input_fn=input_fn, steps=3)
    assert state()[0] == 0
    before, weights = model.evaluate(input_fn=input_fn, steps=1)["loss"], state()[1]
    model.fit(input_fn=input_fn, steps=100)
    trees, after = state()
    assert trees == 2
    np.testing.assert_array_equal(after, weights)  # the network stays as it was
    assert model.evaluate(input_fn=input_fn, steps=1)["loss"] < before
