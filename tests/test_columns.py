"""Feature columns and ready models against TensorFlow 1.15.5: ``golden/column.json.gz``; and trained."""

import json
import re

import numpy as np
import pytest
from golden import column_cases
from recorded_cases import check, golden

from retrograd import tf
from retrograd.graph.apply import apply
from retrograd.ops import boosted_tree_splits, quantile_sketch

RANDOM_NAME = re.compile(r"hash_table_[0-9a-f]{8}-[0-9a-f-]{27}")  # of a table in TensorFlow
TRAINED = [0.19604477, 0.96875]  # average loss and accuracy
GOLDEN = json.loads(RANDOM_NAME.sub("", json.dumps(golden("column"))))


@pytest.mark.parametrize("name", column_cases.CASES)
def test_as_recorded(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check(column_cases, name, GOLDEN[name])


def test_a_classifier_learns_goes_on_and_is_exported(tmp_path):
    """In TensorFlow 1.15.5 the same program ends at the same loss."""
    tf.logging.set_verbosity(tf.logging.ERROR)
    rng = np.random.RandomState(0)
    x = {"a": rng.randn(64, 2).astype("f"), "b": rng.randint(0, 5, (64, 1))}
    y = (x["a"][:, 0] + x["b"][:, 0] > 2).astype(int)
    columns = [
        tf.feature_column.numeric_column("a", shape=2),
        tf.feature_column.embedding_column(tf.feature_column.categorical_column_with_identity("b", 5), 2),
    ]
    config = tf.estimator.RunConfig(model_dir=str(tmp_path / "model"), tf_random_seed=3)

    def model():
        return tf.estimator.DNNClassifier([8], columns, config=config)

    read = tf.estimator.inputs.numpy_input_fn(x, y, batch_size=16, num_epochs=None, shuffle=False)
    model().train(read, steps=20)
    model().train(read, steps=20)
    once = tf.estimator.inputs.numpy_input_fn(x, y, batch_size=16, num_epochs=1, shuffle=False)
    results = model().evaluate(once)
    assert results["global_step"] == 40
    np.testing.assert_allclose([results["average_loss"], results["accuracy"]], TRAINED, rtol=1e-4)
    spec = tf.feature_column.make_parse_example_spec(columns)
    receive = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
    path = model().export_savedmodel(str(tmp_path / "out"), receive)
    with tf.Session(graph=tf.Graph()) as session:
        loaded = tf.saved_model.loader.load(session, ["serve"], path.decode())
        assert set(loaded.signature_def) == {"classification", "predict", "regression", "serving_default"}


def test_boosted_trees_grow_as_in_tensorflow(tmp_path):
    """The numbers at the end are TensorFlow 1.15.5's for this program."""
    tf.logging.set_verbosity(tf.logging.ERROR)
    rng, n, column = np.random.RandomState(0), 200, tf.feature_column
    x = {"a": rng.randn(n).astype("f"), "b": rng.randn(n, 2).astype("f")}
    x["c"], x["d"] = np.array(["x", "y", "z"])[rng.randint(0, 3, n)], rng.randn(n).astype("f")
    y = ((x["a"] + x["b"][:, 0] * x["d"] + (x["c"] == "x")) > 0.3).astype(int)
    word = column.categorical_column_with_vocabulary_list("c", ["x", "y", "z"])
    columns = [
        column.numeric_column("a"),
        column.numeric_column("b", shape=2),
        column.indicator_column(word),
        column.bucketized_column(column.numeric_column("d"), [-1.0, 0.0, 1.0]),
    ]
    model = tf.estimator.BoostedTreesClassifier(
        columns, 1, model_dir=str(tmp_path), n_trees=4, max_depth=3, learning_rate=0.5
    )
    model.train(lambda: tf.data.Dataset.from_tensors((x, y)).repeat(), max_steps=100)
    results = model.evaluate(lambda: tf.data.Dataset.from_tensors((x, y)))
    assert results["global_step"] == 12
    np.testing.assert_allclose(results["average_loss"], 0.166319, rtol=1e-5)
    found = model.predict(lambda: tf.data.Dataset.from_tensors((x, y)))
    first = [float(p["logistic"][0]) for p, _ in zip(found, range(4), strict=False)]
    np.testing.assert_allclose(first, [0.938803, 0.713377, 0.974332, 0.969355], rtol=1e-5)
    gains = model.experimental_feature_importances(normalize=True)
    assert list(gains) == ["a", "b", "d_bucketized", "c"]
    np.testing.assert_allclose(list(gains.values()), [0.54829, 0.32696, 0.09258, 0.03216], rtol=1e-4)


def test_quantiles_of_a_stream_are_within_epsilon():
    rng = np.random.RandomState(0)
    values, weights = rng.randn(5000).astype("f"), rng.uniform(0.5, 2, 5000).astype("f")
    sketch = quantile_sketch.Sketch(0.01, 1 << 40)
    for part in range(0, 5000, 500):
        sketch.add_numbers(values[part : part + 500], weights[part : part + 500])
    order = np.argsort(values)
    ranks = np.cumsum(weights[order]) / weights.sum()
    for i, value in enumerate(quantile_sketch.quantiles_of(sketch.finished(), 10)):
        assert abs(ranks[np.searchsorted(values[order], value)] - i / 10) < 0.03


def test_a_boundary_too_many_counts_to_the_last_bucket():
    with tf.Graph().as_default(), tf.Session() as session:
        ones = tf.ones([2, 1])
        stats = apply(
            boosted_tree_splits.STATS, [0, 0], ones, ones, [[1, 2]], max_splits=1, num_buckets=2, num_features=1
        )
        assert session.run(stats)[0, 0, :, 0].tolist() == [0, 2]


def test_boosted_trees_branch_by_switches(tmp_path):
    column = tf.feature_column.numeric_column("a")
    config = tf.estimator.RunConfig(model_dir=str(tmp_path))
    model = tf.estimator.BoostedTreesRegressor([column], 1, config=config)
    with tf.Graph().as_default() as graph:
        model.model_fn({"a": tf.ones([4])}, tf.ones([4]), "train", config)
    kinds = {op.type for op in graph.get_operations()}
    assert "Switch" in kinds
    assert "If" not in kinds


def test_the_layer_of_sequences_stands_beside_that_of_features() -> None:
    from retrograd.tf.python.feature_column import feature_column_lib

    assert feature_column_lib.SequenceFeatures is tf.keras.experimental.SequenceFeatures
