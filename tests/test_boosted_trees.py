"""Boosted trees' ops with features of several dimensions, and what an estimator of them says of its predictions.

Numbers were recorded under TensorFlow 1.15.5.
"""

from __future__ import annotations

import numpy as np
import pytest

from retrograd import tf
from retrograd.files import tree_messages

R = tf.raw_ops
# of two nodes, two dimensions of a feature, two buckets and the missing values: gradients and Hessians
STATS = np.float32([
    [[[0.1, 0.4], [-0.5, 0.3], [0.2, 0.2]], [[-0.4, 0.5], [0.1, 0.2], [0.1, 0.2]]],
    [[[0.3, 0.5], [0.2, 0.6], [0.0, 0.0]], [[0.6, 0.7], [-0.1, 0.4], [0.0, 0.0]]],
])  # fmt: skip
SETTINGS = {"node_id_range": [0, 2], "l1": 0.0, "l2": 0.1, "tree_complexity": 0.01, "min_node_weight": 0.1}


def _split(**given):
    return R.BoostedTreesCalculateBestFeatureSplit(stats_summary=STATS, logits_dimension=1, **SETTINGS, **given)


def _sparse():
    at = np.argwhere(STATS != 0)
    return R.BoostedTreesSparseCalculateBestFeatureSplit(
        stats_summary_indices=at, stats_summary_values=STATS[tuple(at.T)], stats_summary_shape=STATS.shape,
        logits_dimension=1, **SETTINGS,
    )  # fmt: skip


_CONTRIBUTIONS = [[-0.42857143], [-0.75]], [[1.25], [0.2]]
_ALIKE = [[0, 1], [0.70357138, 0.25166669], [0, 1], [0, 0], *_CONTRIBUTIONS]
_LEFT, _RIGHT, _EQUAL = b"INEQUALITY_DEFAULT_LEFT", b"INEQUALITY_DEFAULT_RIGHT", b"EQUALITY_DEFAULT_RIGHT"
SPLITS = {
    "dense": [*_ALIKE, [_LEFT, _LEFT]],
    "sparse": [*_ALIKE, [_LEFT, _RIGHT]],
    "equality": [*_ALIKE[:3], [1, 0], [[1.25], [-0.75]], [[-0.42857143], [0.2]], [_EQUAL, _EQUAL]],
}


@pytest.mark.parametrize(("name", "build"), [
    ("dense", _split), ("sparse", _sparse), ("equality", lambda: _split(split_type="equality")),
])  # fmt: skip
def test_the_best_split_of_features_of_several_dimensions(name, build):
    with tf.Graph().as_default(), tf.Session() as sess:
        found = sess.run(build())
    for ours, wanted in zip(found, SPLITS[name], strict=True):
        if ours.dtype == object:
            assert ours.tolist() == wanted
        else:
            np.testing.assert_allclose(ours, wanted, rtol=1e-5, atol=1e-6)


def test_splits_of_either_kind_grow_and_say_which_way_an_example_went():
    with tf.Graph().as_default(), tf.Session() as sess:
        trees = R.BoostedTreesEnsembleResourceHandleOp(shared_name="t")
        sess.run(R.BoostedTreesCreateEnsemble(tree_ensemble_handle=trees, stamp_token=0, tree_ensemble_serialized=""))
        for node, kind, feature in ((0, "EQUALITY_DEFAULT_RIGHT", 1), (2, "INEQUALITY_DEFAULT_RIGHT", 0)):
            sess.run(R.BoostedTreesUpdateEnsembleV2(
                tree_ensemble_handle=trees, feature_ids=[feature], dimension_ids=[[1]], node_ids=[[node]],
                gains=[[0.5]], thresholds=[[2]], left_node_contribs=[[[1.0]]], right_node_contribs=[[[-2.0]]],
                split_types=[[kind]], max_depth=3, learning_rate=0.5, pruning_mode=0,
            ))  # fmt: skip
        features = [[1, 3, 3], [2, 0, 2]]
        told = {"tree_ensemble_handle": trees, "bucketized_features": features, "logits_dimension": 1}
        assert sess.run(R.BoostedTreesPredict(**told)).tolist() == [[0.5], [-2.0], [0.5]]
        paths = sess.run(R.BoostedTreesExampleDebugOutputs(**told))
        serialized = sess.run(R.BoostedTreesSerializeEnsemble(tree_ensemble_handle=trees))[1]
    found = [tree_messages.DebugOutput.FromString(path) for path in paths]
    assert [(list(path.feature_ids), list(path.logits_path)) for path in found] == [
        ([1], [0.0, 0.5]), ([1, 0], [0.0, -1.0, -2.0]), ([1], [0.0, 0.5]),
    ]  # fmt: skip
    nodes = tree_messages.TreeEnsemble.FromString(serialized).trees[0].nodes
    assert (nodes[0].categorical_split.value, nodes[0].categorical_split.dimension_id) == (2, 1)
    assert nodes[2].bucketized_split.default_direction == 1


def test_lists_of_outputs_are_lists_in_the_named_tuple_of_an_op():
    with tf.Graph().as_default():
        found = R.BoostedTreesCalculateBestGainsPerFeature(
            stats_summary_list=[STATS[0, :, :2], STATS[1, :, :2]], max_splits=2, **SETTINGS
        )
    assert found._fields[:2] == ("node_ids_list", "gains_list")
    assert [len(part) for part in found] == [2] * 5


def _examples(y, count):
    r = np.random.RandomState(0)
    features = {f"f{i}": column[:, None] for i, column in enumerate(r.randn(4, 200).astype("f"))}
    return lambda: tf.data.Dataset.from_tensors((features, y(features))).repeat(count)


def _columns():
    bounds = np.linspace(-2, 2, 9).tolist()
    return [tf.feature_column.bucketized_column(tf.feature_column.numeric_column(f"f{i}"), bounds) for i in range(4)]


def _model(kind, folder, **given):
    return kind(_columns(), n_batches_per_layer=1, n_trees=3, max_depth=2, learning_rate=0.3, model_dir=str(folder),
                config=tf.estimator.RunConfig(tf_random_seed=1), **given)  # fmt: skip


EXPLAINED = {
    "BoostedTreesRegressor": (0.03407340, {"f0_bucketized": 1.60280413, "f2_bucketized": 0.37272477}),
    "BoostedTreesClassifier": (0.37000001, {"f0_bucketized": 0.07513681, "f1_bucketized": -0.03328347}),
}


@pytest.mark.parametrize(("kind", "y"), [
    ("BoostedTreesRegressor", lambda f: 2 * f["f0"] + f["f2"]),
    ("BoostedTreesClassifier", lambda f: ((f["f0"] + f["f1"] > 0.3) ^ (np.arange(200)[:, None] % 7 == 0)).astype("i")),
])  # fmt: skip
def test_an_estimator_says_what_each_column_contributes(kind, y, tmp_path):
    model = _model(getattr(tf.estimator, kind), tmp_path, center_bias=True)
    model.train(_examples(y, None), max_steps=6)
    first = next(iter(model.experimental_predict_with_explanations(_examples(y, 1))))
    bias, contributions = EXPLAINED[kind]
    np.testing.assert_allclose(first["bias"], bias, rtol=1e-5)
    assert list(first["dfc"])[:2] == list(contributions)
    np.testing.assert_allclose([first["dfc"][name] for name in contributions], list(contributions.values()), rtol=1e-4)
    prediction = first["predictions"][0] if "predictions" in first else first["logistic"][0]
    np.testing.assert_allclose(first["bias"] + sum(first["dfc"].values()), prediction, rtol=1e-5)


def test_contributions_are_told_beside_a_bias_alone(tmp_path):
    model = _model(tf.estimator.BoostedTreesRegressor, tmp_path)
    with pytest.raises(ValueError, match=r"^center_bias must be enabled during estimator instantiation when using "
                       r"experimental_predict_with_explanations\.$"):  # fmt: skip
        next(model.experimental_predict_with_explanations(_examples(lambda f: f["f0"], 1)))


def test_trees_are_trained_at_once_on_data_in_memory():
    x, z = np.float32([[0.1, 0.4, 0.35, 0.8, 1.2, 0.9, 0.2, 0.7], [3, 1, 2, 0, 5, 4, 1.5, 2.5]])[..., None]
    y = np.float32([[1.0], [2.0], [1.5], [0.5], [3.0], [2.5], [0.0], [1.0]])
    number = tf.feature_column.numeric_column
    columns = [tf.feature_column.bucketized_column(number("x"), [0.3, 0.6, 0.85]), number("z")]

    def predicted(train, labels, key, **given):
        runs = []

        class Runs(tf.train.SessionRunHook):
            def after_run(self, run_context, run_values):
                runs.append(run_context)

        model = train(
            lambda: tf.data.Dataset.from_tensors(({"x": x, "z": z}, labels)), columns, max_depth=2, learning_rate=0.5,
            train_hooks=[Runs()], **given,
        )  # fmt: skip
        found = model.predict(lambda: tf.data.Dataset.from_tensors({"x": x, "z": z}))
        return len(runs), [float(each[key][0]) for each in found]

    make = tf.contrib.estimator
    count, found = predicted(
        make.boosted_trees_regressor_train_in_memory, y, "predictions", n_trees=3, center_bias=True
    )  # fmt: skip
    wanted = [0.903562, 1.387885, 1.387885, 0.665564, 2.847312, 2.597312, 0.322595, 1.387885]
    assert count == 9
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
    count, found = predicted(
        make.boosted_trees_classifier_train_in_memory, np.float32(y > 1.2), "logits", n_trees=2, l2_regularization=0.01
    )
    wanted = [-1.457675, 0.743934, 0.743934, -1.737055, 1.86964, 1.86964, -1.457675, -0.417646]
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
