"""The packages of ``tf.contrib`` that came last against TensorFlow 1.15.5: ``golden/remaining.json.gz``."""

import importlib

import numpy as np
import pytest
from golden import remaining_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("remaining")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.parametrize("name", remaining_cases.CASES)
def test_as_recorded(name):
    check(remaining_cases, name, GOLDEN[name], nodes=False)


def _points(n):
    rng = np.random.RandomState(0)
    return np.float32(np.concatenate([rng.randn(n, 2), rng.randn(n, 2) + 9]))


def test_a_mixture_is_an_estimator(tmp_path):
    x = _points(30)
    mixture = tf.contrib.factorization.GMM(2, model_dir=str(tmp_path), initial_clusters=[[1, 1], [5, 5]])
    mixture.fit(input_fn=lambda: (tf.constant(x), None), steps=0)  # one step
    first = mixture.score(input_fn=lambda: (tf.constant(x), None), steps=1)
    mixture.fit(input_fn=lambda: (tf.constant(x), None), steps=10)
    assert mixture.score(input_fn=lambda: (tf.constant(x), None), steps=1) > first
    np.testing.assert_allclose(mixture.clusters(), [x[:30].mean(0), x[30:].mean(0)], atol=0.01)
    np.testing.assert_allclose(mixture.weights(), [0.5, 0.5], atol=1e-3)
    np.testing.assert_allclose(mixture.covariances()[1], np.cov(x[30:].T, bias=True) + 1e-3 * np.eye(2), atol=0.02)
    found = list(mixture.predict_assignments(input_fn=lambda: (tf.constant(x), None)))
    assert found == [0] * 30 + [1] * 30


def _sparse(a):
    places = np.argwhere(a)
    return tf.SparseTensor(places, a[tuple(places.T)], a.shape)


def test_a_factorized_matrix_is_an_estimator(tmp_path):
    rng = np.random.RandomState(0)
    a = np.float32(rng.rand(6, 2) @ rng.rand(2, 5))
    model = tf.contrib.factorization.WALSMatrixFactorization(
        6, 5, 2, unobserved_weight=0.01, row_weights=9, col_weights=1, max_sweeps=12, model_dir=str(tmp_path),
        config=tf.contrib.learn.RunConfig(tf_random_seed=1),
    )  # fmt: skip

    def features(**more):
        more = {name: tf.constant(value) for name, value in more.items()}
        return {"input_rows": _sparse(a), "input_cols": _sparse(a.T), **more}, None

    model.fit(input_fn=features)
    assert model.get_variable_value("completed_sweeps") == 12
    rows, cols = model.get_row_factors()[0], model.get_col_factors()[0]
    np.testing.assert_allclose(rows @ cols.T, a, atol=0.05)
    projected = model.get_projections(lambda: features(project_row=True))
    found = [next(projected) for _ in range(6)]
    np.testing.assert_allclose(found @ cols.T, a, atol=0.05)
    assert model.evaluate(input_fn=lambda: features(project_row=False), steps=1)["loss"] < 0.05


def test_the_best_of_candidates():
    find = tf.contrib.constrained_optimization.find_best_candidate_distribution
    objectives, constraints = np.array([0.1, 0.7, 1.2]), np.array([[0.5, -0.2, -0.4], [0.3, 0.1, -0.6]])
    np.testing.assert_allclose(find(objectives, constraints), [0.16, 0.18, 0.11] / np.float64(0.45), atol=1e-6)
    np.testing.assert_allclose(find([1, 2], np.array([[1.0, 3.0], [2.0, 1.0]]), 1e-9), [2 / 3, 1 / 3], atol=1e-6)
    best = tf.contrib.constrained_optimization.find_best_candidate_index
    assert best(objectives, constraints) == 2
    assert best(objectives, -np.abs(constraints)) == 0
    assert best([3, 1, 2], np.array([[0.1, 0.3, 0.2], [0.0, 0.0, 0.1]]), rank_objectives=True) == 1


def test_standard_ops_hold_the_ops_of_every_module():
    ops = importlib.import_module("retrograd.tf.python.ops.standard_ops")
    assert ops.constant([1.0]).op.type == "Const"
    assert ops.Variable(2.0).dtype == tf.float32
    assert ops.tanh_grad(1.0, 2.0).op.type == "TanhGrad"


def test_a_static_network_reads_variables():
    y, _ = tf.nn.static_rnn(
        tf.nn.rnn_cell.BasicRNNCell(2), [tf.Variable(tf.ones([3, 4]), use_resource=True)], dtype=tf.float32
    )
    assert y[0].shape == (3, 2)


def _read(made):
    """What comes of queues, until they end."""
    found = []
    with tf.train.MonitoredSession() as session:
        while not session.should_stop():
            found.append(session.run(made))
    return found


def test_examples_of_files_come_in_batches(tmp_path):
    for name, text in (("a", "p\nq\n"), ("b", "r\n")):
        (tmp_path / name).write_text(text)
    read, options = tf.contrib.learn.read_keyed_batch_examples, {"randomize_input": False, "num_epochs": 1}
    keys, texts = zip(*_read(read(f"{tmp_path}/*", 2, tf.TextLineReader, **options)), strict=True)
    assert np.concatenate(texts).tolist() == [b"p", b"q", b"r"]
    assert np.concatenate(keys).tolist() == [f"{tmp_path}/{end}".encode() for end in ("a:1", "a:2", "b:1")]
    with tf.Graph().as_default():
        parsed = read(
            [f"{tmp_path}/b"], 2, tf.TextLineReader, **options, parse_fn=lambda x: {"t": x}, read_batch_size=3
        )
        assert _read(parsed)[0][1]["t"].tolist() == [b"r"]
    with tf.Graph().as_default():
        shared = tf.contrib.learn.read_keyed_batch_examples_shared_queue
        found = _read(shared(f"{tmp_path}/*", 3, tf.TextLineReader, False, 2))
        assert np.concatenate([texts for _, texts in found]).tolist() == [b"p", b"q", b"r"] * 2


def test_features_of_records_come_in_batches(tmp_path):
    with tf.python_io.TFRecordWriter(str(tmp_path / "r")) as file:
        for i in range(5):
            example = tf.train.Example()
            example.features.feature["a"].int64_list.value.append(i)
            example.features.feature["b"].int64_list.value.extend(range(i))
            file.write(example.SerializeToString())
    wanted = {"a": tf.FixedLenFeature([], tf.int64), "b": tf.VarLenFeature(tf.int64)}
    found = _read(tf.contrib.learn.read_batch_record_features(str(tmp_path / "r"), 3, wanted, False, 1))
    found.sort(key=lambda batch: len(batch["a"]), reverse=True)  # two threads hand the batches on
    assert [batch["a"].tolist() for batch in found] == [[0, 1, 2], [3, 4]]
    assert found[1]["b"].values.tolist() == [0, 1, 2, 0, 1, 2, 3]


def test_a_keras_model_is_exported_for_serving(tmp_path):
    keras, path = tf.keras, str(tmp_path / "m")
    x = np.float32([[1, 2, 3]])
    model = keras.Sequential([keras.layers.Dense(2, input_shape=(3,)), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, np.ones((1, 1)), verbose=0)
    keras.experimental.export_saved_model(model, path)
    wanted = model.predict(x)
    again = keras.experimental.load_from_saved_model(path)
    assert again.optimizer is None
    np.testing.assert_array_equal(again.predict(x), wanted)
    np.testing.assert_array_equal(tf.contrib.saved_model.load_keras_model(path).predict(x), wanted)
    with tf.Graph().as_default(), tf.Session() as session:
        loaded = tf.saved_model.loader.load(session, ["serve"], path).signature_def["serving_default"]
        (given,), (made,) = loaded.inputs.values(), loaded.outputs.values()
        np.testing.assert_allclose(session.run(made.name, {given.name: x}), wanted, rtol=1e-6)
    with pytest.raises(AssertionError, match=r"^Export directory already exists, and isn't empty"):
        keras.experimental.export_saved_model(model, path)
    with pytest.raises(ValueError, match=r"^Weights for sequential model have not yet been created"):
        keras.experimental.export_saved_model(keras.Sequential([keras.layers.Dense(2)]), path + "2")
    with pytest.raises(tf.errors.NotFoundError, match=r"saved_model\.json; No such file or directory"):
        keras.experimental.load_from_saved_model(path + "3")
