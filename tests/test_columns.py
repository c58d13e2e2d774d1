"""Feature columns and ready models against TensorFlow 1.15.5: ``golden/column.json.gz``; and trained."""

import json
import re

import numpy as np
import pytest
from golden import column_cases
from recorded_cases import check, golden

from retrograd import tf

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
