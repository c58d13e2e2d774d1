"""``tf.contrib.boosted_trees`` against TensorFlow 1.15.5: ``golden/gradient_trees.json.gz``."""

from __future__ import annotations

import numpy as np
import pytest
from golden import gradient_tree_cases as cases
from recorded_cases import golden

from retrograd import tf
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
