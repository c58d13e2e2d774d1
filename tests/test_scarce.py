"""Further names that hardly a program uses against TensorFlow 1.15.5: ``golden/scarce.json.gz``."""

import numpy as np
import pytest
from golden import scarce_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("scarce")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.parametrize("name", scarce_cases.CASES)
def test_as_recorded(name):
    check(scarce_cases, name, GOLDEN[name])


# -- cuDNN's networks, which TensorFlow runs on GPUs alone, against the cells that it says are the same -----


def _states(rng, *shape):
    return rng.randn(*shape).astype("f")


@pytest.mark.parametrize(
    ("layer", "cell"), [("LSTM", "CudnnCompatibleLSTMCell"), ("GRU", "CudnnCompatibleGRUCell"), ("RNNTanh", None)]
)
def test_a_network_of_cudnn_is_its_cells_through_a_checkpoint(tmp_path, layer, cell):
    rng, cudnn = np.random.RandomState(0), tf.contrib.cudnn_rnn
    x = _states(rng, 4, 2, 5)
    with tf.Graph().as_default(), tf.Session() as sess:
        network = getattr(cudnn, "Cudnn" + layer)(2, 3, direction="bidirectional")
        y, states = network(tf.constant(x))
        sess.run(tf.global_variables_initializer())
        sess.run(network.kernel.assign(tf.constant(_states(rng, *sess.run(network.kernel).shape))))
        wanted, last = sess.run([y, states])
        path = tf.train.Saver().save(sess, str(tmp_path / "a"))
    with tf.Graph().as_default(), tf.Session() as sess:
        kind = getattr(cudnn, cell) if cell else tf.nn.rnn_cell.BasicRNNCell
        cells = [[kind(3) for _ in range(2)] for _ in range(2)]
        y, *_ = tf.contrib.rnn.stack_bidirectional_dynamic_rnn(
            *cells, tf.constant(x), dtype=tf.float32, time_major=True,
            scope=network.scope_name + "/stack_bidirectional_rnn",
        )  # fmt: skip
        saver = tf.train.Saver()
        saver.restore(sess, path)
        np.testing.assert_allclose(sess.run(y), wanted, rtol=1e-5, atol=1e-6)
        path = saver.save(sess, str(tmp_path / "b"))
    with tf.Graph().as_default(), tf.Session() as sess:
        network = getattr(cudnn, "Cudnn" + layer)(2, 3, direction="bidirectional")
        y, states = network(tf.constant(x))
        sess.run(tf.global_variables_initializer())
        saver = tf.train.Saver(tf.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS))
        saver.restore(sess, path)
        again, last_again = sess.run([y, states])
    np.testing.assert_allclose(again, wanted, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(last_again[0], last[0], rtol=1e-5, atol=1e-6)


def test_sequences_of_cudnn_end_where_they_are_said_to():
    rng, cudnn = np.random.RandomState(0), tf.contrib.cudnn_rnn
    x = _states(rng, 4, 2, 5)
    network = cudnn.CudnnGRU(2, 3, direction="bidirectional", seed=1)
    whole, (last,) = network(tf.constant(x), sequence_lengths=tf.constant([2, 4]))
    part, (last_of_part,) = network(tf.constant(x[:2]))
    full, _ = network(tf.constant(x))
    turned, (last_turned,) = network(
        tf.constant(x.swapaxes(0, 1)), (tf.zeros([2, 4, 3]),), sequence_lengths=[2, 4], time_major=False
    )
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        whole, last, part, last_of_part, full, turned, last_turned = sess.run(
            [whole, last, part, last_of_part, full, turned, last_turned]
        )
    np.testing.assert_allclose(whole[:2, 0], part[:, 0], rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(whole[2:, 0], 0)
    np.testing.assert_allclose(whole[:, 1], full[:, 1], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(last[:, 0], last_of_part[:, 0], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(turned.swapaxes(0, 1), whole, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(last_turned.swapaxes(0, 1), last, rtol=1e-5, atol=1e-6)


def test_dropout_of_cudnn_stands_between_layers_and_counts_in_the_gradient():
    network = tf.contrib.cudnn_rnn.CudnnRNNRelu(2, 40, dropout=0.5, seed=2, kernel_initializer=tf.ones_initializer())
    x = tf.constant(np.full([1, 3, 1], 2.0, "f"))
    y, _ = network(x)
    plain, _ = network(x, training=False)
    gradient = tf.gradients(y, x)[0]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        y, plain, gradient = sess.run([y, plain, gradient])
    np.testing.assert_allclose(plain, 80)
    kept = y[0, :, 0] / 4  # of 40 units, each 2 / (1 - 0.5)
    assert set(kept) <= set(range(41))
    assert 40 > kept.mean() > 10
    np.testing.assert_allclose(y, np.repeat(y[..., :1], 40, 2))
    np.testing.assert_allclose(gradient[0, :, 0], kept * 2 * 40)


def test_inputs_of_cudnn_may_skip_the_first_matrices():
    from retrograd.tf.contrib.cudnn_rnn.python.ops import cudnn_rnn_ops as ops

    network = ops.CudnnRNNTanh(2, 3, 3, input_mode="auto_select")
    x, h = tf.constant(_states(np.random.RandomState(0), 1, 2, 3)), tf.zeros([2, 2, 3])
    size = network.params_size()
    params = tf.placeholder(tf.float32, [None])
    weights, biases = network.params_to_canonical(params)
    y, _ = network(x, h, params)
    with tf.Session() as sess:
        assert sess.run(size) == 3 * 9 + 4 * 3
        values = np.zeros(39, "f")
        values[9:18] = np.eye(3).ravel()  # of the second layer's inputs
        assert [w.shape for w in sess.run(weights, {params: values})] == [(3, 0), (3, 3), (3, 3), (3, 3)]
        assert len(biases) == 4
        np.testing.assert_allclose(sess.run(y, {params: values}), np.tanh(np.tanh(sess.run(x))), rtol=1e-6)
        with pytest.raises(tf.errors.InvalidArgumentError, match="the network has 39 parameters"):
            sess.run(y, {params: values[1:]})


# -- containers that checkpoints follow ----------------------------------------------------------


def test_containers_are_saved_under_places_keys_and_unique_names(tmp_path):
    from retrograd.tf.contrib import checkpoint

    layers = checkpoint.List([tf.layers.Dense(1), checkpoint.List([tf.layers.Dense(2)])])
    layers += [tf.layers.Dense(3)]
    named = checkpoint.Mapping(a=tf.Variable(1.0), b=checkpoint.Mapping())
    slots = checkpoint.UniqueNameTracker()
    numbers = [slots.track(tf.Variable(float(i)), "x") for i in range(3)]
    arrays = checkpoint.NumpyState()
    arrays.x = np.arange(3)
    x = layers[2](layers[1][0](layers[0](tf.zeros([1, 2]))))
    assert (x.shape[1], len(layers), [type(x).__name__ for x in layers[:2]]) == (3, 3, ["Dense", "List"])
    assert [v.shape.as_list() for v in layers.trainable_weights] == [[2, 1], [1], [1, 2], [2], [2, 3], [3]]
    assert named.trainable_variables == [named["a"]]
    saved = tf.train.Checkpoint(layers=layers, named=named, slots=slots, arrays=arrays)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        path = saved.save(str(tmp_path / "c"), sess)
        sess.run([v.assign(9.0) for v in numbers])
        arrays.x[0] = 7
        saved.restore(path).run_restore_ops(sess)
        assert sess.run(numbers) == [0.0, 1.0, 2.0]
    assert arrays.x.tolist() == [0, 1, 2]
    names = {n for n, _ in tf.train.list_variables(path)}
    assert {"layers/1/0/kernel/.ATTRIBUTES/VARIABLE_VALUE", "named/a/.ATTRIBUTES/VARIABLE_VALUE",
            "slots/x_2/.ATTRIBUTES/VARIABLE_VALUE", "arrays/x/.ATTRIBUTES/py_state"} <= names  # fmt: skip
    assert checkpoint.list_objects(saved)[0] is saved
    assert {c.local_name for c in checkpoint.object_metadata(path).nodes[0].children} >= {"layers", "named", "slots"}
    assert '-> N_1 [label="arrays"]' in checkpoint.dot_graph_from_checkpoint(path)
    with pytest.raises(ValueError, match="Only trackable objects"):
        layers.append(3)
    with pytest.raises(ValueError, match="append-only data structure"):
        named["a"] = tf.Variable(2.0)
    with pytest.raises(TypeError, match="accepts only string keys"):
        named[1] = tf.Variable(2.0)
    with pytest.raises(ValueError, match="Expected a trackable value"):
        slots.track(3, "y")
    with pytest.raises(NotImplementedError, match="is not a NumPy array"):
        arrays.y = 3


# -- models of several devices -------------------------------------------------------------------


def test_a_replicated_model_trains_and_is_exported_for_each_mode(tmp_path):
    contrib = tf.contrib.estimator
    x = np.float32([[1], [2], [3], [4]])

    def model_fn(features, labels, mode):
        y = tf.layers.dense(features["x"], 1, use_bias=False, kernel_initializer=tf.zeros_initializer(), name="dense")
        loss = None if labels is None else tf.losses.mean_squared_error(labels, y)
        optimizer = contrib.TowerOptimizer(tf.train.GradientDescentOptimizer(0.1))
        step = tf.train.get_global_step()
        train = optimizer.minimize(loss, step) if mode == "train" else None
        return tf.estimator.EstimatorSpec(mode, predictions={"y": y}, loss=loss, train_op=train)

    replicated = contrib.replicate_model_fn(model_fn, devices=["/CPU:0", "/CPU:0"])
    estimator = tf.estimator.Estimator(replicated, str(tmp_path / "m"))
    inputs = tf.estimator.inputs.numpy_input_fn({"x": x}, 2 * x, batch_size=4, num_epochs=None, shuffle=False)
    estimator.train(inputs, steps=3)
    w = 0.0
    for _ in range(3):
        w -= 0.1 * 2 * float((x * x).mean()) * (w - 2)
    assert estimator.get_variable_value("dense/kernel").item() == pytest.approx(w, rel=1e-5)
    plain = tf.estimator.Estimator(model_fn, str(tmp_path / "m"))
    receiver = contrib.build_raw_supervised_input_receiver_fn({"x": tf.constant(x)}, tf.constant(x))
    one = contrib.export_saved_model_for_mode(plain, str(tmp_path / "a"), receiver, mode="eval")
    both = contrib.export_all_saved_models(plain, str(tmp_path / "b"), {"train": receiver, "eval": receiver})
    for path, tags in ((one, ["eval"]), (both, ["train"]), (both, ["eval"])):
        with tf.Graph().as_default(), tf.Session() as sess:
            assert len(tf.saved_model.load(sess, tags, path.decode()).signature_def) >= 1


def test_heads_of_canned_estimators_by_their_inner_names():
    from retrograd.tf.python.estimator.canned import head as heads

    class Doubled(heads._Head):
        name = "doubled"
        logits_dimension = 1

        def create_estimator_spec(self, features, mode, logits, labels=None, **options):
            return tf.estimator.EstimatorSpec(mode, predictions=2 * logits)

    with tf.Graph().as_default():
        head = heads._regression_head(label_dimension=2)
        logits, labels = tf.constant([[1.0, 2.0], [0.0, 3.0]]), tf.constant([[1.0, 0.0], [2.0, 3.0]])
        loss = head.create_loss({}, "train", logits, labels)
        doubled = Doubled().create_estimator_spec({}, "infer", logits)
        assert heads._binary_logistic_or_multi_class_head(3, None, None, "weighted_sum").logits_dimension == 3
        with tf.Session() as session:
            assert session.run(loss.training_loss) == 8.0
            assert session.run(doubled.predictions).sum() == 12.0


def test_estimators_of_version_2_are_exported_by_one_method(tmp_path):
    kind = tf.compat.v2.estimator.Estimator
    estimator = kind(lambda features, labels, mode: None, str(tmp_path))
    assert isinstance(estimator, tf.estimator.Estimator)
    with pytest.raises(AttributeError, match="Please use `export_saved_model` instead"):
        estimator.export_savedmodel("x", None)
    exporting = type("Exporting", (kind,), {"export_savedmodel": lambda self: None})
    with pytest.raises(ValueError, match=r"does override \['export_savedmodel'\]"):
        exporting(lambda features, labels, mode: None)


def test_version_2_shows_version_1():
    import retrograd.tf.compat.v2 as second

    assert second.compat.v1 is tf


def test_programs_may_override_methods_of_estimators_after_they_replace_the_check(monkeypatch, tmp_path):
    class Evaluating(tf.estimator.Estimator):
        def evaluate(self, *args, **kwargs):
            return {}

    with pytest.raises(ValueError, match="cannot override members"):
        Evaluating(lambda features, labels, mode: None, str(tmp_path))
    monkeypatch.setattr(tf.estimator.Estimator, "_assert_members_are_not_overridden", staticmethod(lambda _: None))
    assert Evaluating(lambda features, labels, mode: None, str(tmp_path)).evaluate() == {}


def test_results_of_input_functions_are_read():
    from retrograd.tf.python.estimator import util

    dataset = tf.data.Dataset.from_tensors(({"x": [1.0]}, [2.0]))
    features, labels, hooks = util.parse_input_fn_result(dataset)
    assert (list(features), labels.shape.as_list(), len(hooks)) == (["x"], [1], 1)
    assert util.parse_input_fn_result((features, labels)) == (features, labels, [])
