"""Programs on ``tf.contrib.boosted_trees``: what models of it lose and predict, and the trees that they grow."""

import tempfile

import numpy as np

COUNT = 160


def _data():
    rng = np.random.RandomState(0)
    x = rng.randn(COUNT, 4).astype("f")
    categories = rng.randint(0, 4, COUNT).astype("i8")
    y = (x[:, 0] + 0.5 * x[:, 1] * x[:, 2] + (categories == 2) * 1.5 + 0.1 * rng.randn(COUNT)).astype("f")
    has = rng.rand(COUNT) < 0.6
    some = (y + rng.randn(COUNT)).astype("f")
    return x, categories, y, has, some


X, CATEGORIES, Y, HAS, SOME = _data()
WEIGHTS = np.random.RandomState(1).uniform(0.5, 1.5, [COUNT, 1]).astype("f")  # or splits of classes gain the same
CLASSES = np.digitize(Y, [-0.7, 0.7]).astype("i4")
_ROWS = np.stack([np.flatnonzero(HAS), np.zeros(HAS.sum(), "i8")], axis=1)


def features(tf, kinds):
    """Dense numbers, sparse numbers, categories and weights, as ``kinds`` says."""
    found = {}
    if "d" in kinds:
        found["x"] = tf.constant(X)
    if "w" in kinds:
        found["w"] = tf.constant(WEIGHTS)
    for kind, values in (("s", SOME), ("c", CATEGORIES)):
        if kind in kinds:
            found[kind] = tf.SparseTensor(_ROWS, tf.constant(values[HAS]), [COUNT, 1])
    return found


def _set(config, settings):
    config.constraints.max_tree_depth = 3
    config.learning_rate_tuner.fixed.learning_rate = 0.3
    for path, value in settings.items():
        owner = config
        *outer, last = path.split("__")
        for name in outer:
            owner = getattr(owner, name)
        setattr(owner, last, getattr(config, value) if isinstance(value, str) else value)


_THREE = {"n_classes": 3, "center_bias": False, "weight_column_name": "w"}
# name: estimator, its arguments, kinds of features, labels, steps, settings of the learner
CASES = {
    "classes": ("Classifier", {"weight_column_name": "w"}, "dscw", Y > 0, 9, {}),
    "ends": ("Classifier", {"center_bias": False, "num_trees": 2, "weight_column_name": "w"}, "dw", Y > 0, 50, {}),
    "numbers": ("Regressor", {}, "dsc", Y, 9, {}),
    "whole trees": ("Regressor", {}, "dsc", Y, 12, {"growing_mode": "WHOLE_TREE"}),
    "pruned before": (
        "Regressor", {}, "dsc", Y, 9, {"pruning_mode": "PRE_PRUNE", "regularization__tree_complexity": 0.02},
    ),
    "pruned behind": ("Regressor", {}, "dsc", Y, 9, {
        "pruning_mode": "POST_PRUNE", "regularization__tree_complexity": 0.02, "regularization__l1": 0.01,
        "regularization__l2": 0.1,
    }),
    "dropout": ("Regressor", {}, "d", Y, 20, {
        "learning_rate_tuner__dropout__dropout_probability": 0.5,
        "learning_rate_tuner__dropout__probability_of_skipping_dropout": 0.1,
        "learning_rate_tuner__dropout__learning_rate": 0.5,
    }),
    "columns of a layer": ("Regressor", {}, "dsc", Y, 9, {"feature_fraction_per_level": 0.5}),
    "columns of a tree": ("Regressor", {}, "dsc", Y, 9, {"feature_fraction_per_tree": 0.5}),
    "few columns": ("Regressor", {}, "dsc", Y, 9, {"constraints__max_number_of_unique_feature_columns": 2}),
    "few examples": ("Regressor", {}, "d", Y, 9, {"constraints__min_node_weight": 0.1}),
    "layers alike": ("Regressor", {}, "dc", Y, 9, {"weak_learner_type": "OBLIVIOUS_DECISION_TREE"}),
    "mean of the last": ("Regressor", {}, "d", Y, 14, {"averaging_config__average_last_n_trees": 2.0}),
    "mean of a share": ("Regressor", {}, "d", Y, 14, {"averaging_config__average_last_percent_trees": 0.5}),
    "diagonals": ("Classifier", _THREE, "dscw", CLASSES, 9, {}),
    "Hessians": ("Classifier", _THREE, "dw", CLASSES, 9, {
        "multi_class_strategy": "FULL_HESSIAN", "regularization__l2": 0.01,
    }),
    "a class after another": ("Classifier", _THREE, "dcw", CLASSES, 14, {
        "multi_class_strategy": "TREE_PER_CLASS",
    }),
    "a quantile": ("QuantileRegressor", {"quantiles": [0.7]}, "d", Y, 9, {}),
}  # fmt: skip


def run(tf, estimators, learner, trees, name):
    """What a case gives: the metrics, some predictions, and the nodes, weights and first gain of the trees."""
    kind, given, kinds, labels, steps, settings = CASES[name]
    config = learner.LearnerConfig()
    _set(config, settings)
    labels = labels.astype("i4" if kind == "Classifier" else "f").reshape(-1, 1)
    model = getattr(estimators, f"GradientBoostedDecisionTree{kind}")(
        learner_config=config, examples_per_layer=COUNT, model_dir=tempfile.mkdtemp(), **given
    )  # fmt: skip

    def input_fn():
        return features(tf, kinds), tf.constant(labels)

    model.fit(input_fn=input_fn, steps=steps)
    metrics = model.evaluate(input_fn=input_fn, steps=1)
    reader = tf.train.load_checkpoint(model.model_dir)
    ensemble = trees.DecisionTreeEnsembleConfig.FromString(reader.get_tensor("ensemble_model:0_config"))
    found = {}
    for values in model.predict(input_fn=lambda: features(tf, kinds)):
        for key, value in (values if isinstance(values, dict) else {"scores": values}).items():
            found.setdefault(key, []).append(np.asarray(value, np.float64).tolist())
        if len(next(iter(found.values()))) == 8:
            break
    return {
        "metrics": {key: float(value) for key, value in sorted(metrics.items())},
        "predictions": found,
        "nodes": [len(tree.nodes) for tree in ensemble.trees],
        "weights": list(ensemble.tree_weights),
        "attempts": [ensemble.growing_metadata.num_trees_attempted, ensemble.growing_metadata.num_layers_attempted],
        "columns": list(ensemble.growing_metadata.used_handler_ids),
        "saved": sorted(reader.get_variable_to_shape_map()) if name == "classes" else [],
    }  # fmt: skip
