"""Names of smaller packages that build no nodes: tables of numbers, predictors, the older profiler."""

import importlib

import numpy as np
import pytest

from retrograd import tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def test_tables_of_numbers_are_read(tmp_path):
    base = tf.contrib.learn.datasets.base
    file = tmp_path / "x.csv"
    file.write_text("2,2,a,b\n1,2.5,0\n3,4,1\n")
    read = base.load_csv_with_header(filename=str(file), target_dtype=np.int64, features_dtype=np.float32)
    assert (read.data.tolist(), read.target.tolist(), read.data.dtype) == ([[1, 2.5], [3, 4]], [0, 1], np.float32)
    file.write_text("1,ab,cd\n3,4,1\n5,6,7\n")
    base.shrink_csv(str(file), 2)
    read = base.load_csv_without_header(str(tmp_path / "x_small.csv"), np.int32, np.str_, 0)
    assert (read.data.tolist(), read.target.tolist()) == ([["ab", "cd"], ["6", "7"]], [1, 5])


def test_small_sets_are_as_recorded():
    sets = tf.contrib.learn.datasets
    iris, boston = sets.load_iris(), sets.load_dataset("boston")
    assert (iris.data.shape, np.bincount(iris.target).tolist()) == ((150, 4), [50, 50, 50])
    np.testing.assert_allclose([iris.data.mean(), boston.data.mean(), boston.target.mean()],
                               [3.463667, 70.072447, 22.532806], rtol=1e-6)  # fmt: skip
    made = sets.make_dataset("spirals", 7)
    assert (made.data.shape, made.target.tolist()) == ((7, 2), [1, 0, 1, 0, 0, 0, 1])
    with pytest.raises(ValueError, match="Name of dataset is not found: roses"):
        sets.load_dataset("roses")


def test_a_call_is_tried_again():
    tried = []

    @tf.contrib.learn.datasets.base.retry(1, 3)
    def often():
        tried.append(1)
        if len(tried) < 3:
            raise OSError("once more")
        return "done"

    assert (often(), len(tried)) == ("done", 3)


def test_an_estimator_is_a_function(tmp_path):
    def model(features, labels, mode):
        y = tf.layers.dense(features["x"], 1, kernel_initializer=tf.ones_initializer())
        out = {"serving_default": tf.estimator.export.PredictOutput({"y": y})}
        step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
        return tf.estimator.EstimatorSpec(mode, y, tf.reduce_sum(y), step, export_outputs=out)

    estimator = tf.estimator.Estimator(model, str(tmp_path))
    estimator.train(lambda: {"x": tf.ones([2, 3])}, steps=1)

    def receiver():
        x = tf.placeholder(tf.float32, [None, 3])
        return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})

    predict = tf.contrib.predictor.from_estimator(estimator, receiver)
    assert predict({"x": np.arange(6.0).reshape(2, 3)})["y"].tolist() == [[3], [12]]
    with pytest.raises(ValueError, match="Got unexpected keys in input_dict"):
        predict({"z": 1})
    with pytest.raises(KeyError, match="output_key must be one of"):
        tf.contrib.predictor.from_estimator(estimator, receiver, "q")
    with pytest.raises(TypeError, match="You likely want to call from_contrib_estimator"):
        tf.contrib.predictor.from_estimator(None, receiver)


def test_the_older_profiler_counts(capsys):
    from retrograd.tf.contrib.tfprof import model_analyzer

    tf.layers.dense(tf.placeholder(tf.float32, [2, 3]), 4)
    graph, options = tf.get_default_graph(), model_analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS
    assert model_analyzer.print_model_analysis(graph, tfprof_options=options).total_parameters == 16
    options = model_analyzer.FLOAT_OPS_OPTIONS
    assert model_analyzer.print_model_analysis(graph, tfprof_options=options).total_float_ops == 81
    assert "dense/kernel" in capsys.readouterr().out


@pytest.mark.parametrize("path", [
    "python.estimator.estimator:Estimator", "python.estimator.model_fn:EstimatorSpec",
    "python.estimator.canned.prediction_keys:PredictionKeys", "python.ops.summary_op_util:summary_scope",
    "contrib.hooks:ProfilerHook", "python.ops.standard_ops:mul",
    "python.estimator.estimator:_load_global_step_from_checkpoint_dir",
])  # fmt: skip
def test_names_are_where_programs_look(path):
    module, _, name = path.partition(":")
    assert hasattr(importlib.import_module(f"retrograd.tf.{module}"), name)
    assert tf.pywrap_tensorflow.NewCheckpointReader is tf.train.NewCheckpointReader


def test_attributes_are_replaced_and_put_back():
    class Named:
        name = "a"

        @staticmethod
        def f():
            return 1

    with tf.test.StubOutForTesting() as stubs:
        stubs.Set(Named, "f", staticmethod(lambda: 2))
        stubs.SmartSet(Named(), "name", "b")
        assert (Named.f(), Named.name) == (2, "b")
        with pytest.raises(AttributeError, match="Attribute not found"):
            stubs.SmartSet(Named, "missing", 1)
    assert (Named.f(), Named().f(), Named.name) == (1, 1, "a")


def test_only_whole_weights_are_pruned():
    from retrograd.tf.contrib import model_pruning

    parts = tf.get_variable("w", [4, 2], partitioner=tf.fixed_size_partitioner(2))
    model_pruning.apply_mask(parts)
    with pytest.raises(NotImplementedError, match="w is in parts: prune variables that are whole"):
        model_pruning.Pruning(global_step=tf.constant(0)).mask_update_op()
    with pytest.raises(NotImplementedError, match="there are no TPUs"):
        model_pruning.Pruning(model_pruning.get_pruning_hparams().parse("use_tpu=True"))


def test_pruning_zeroes_the_smallest_weights():
    from retrograd.tf.contrib import model_pruning

    w = tf.Variable([3.0, -1.0, 0.5, -4.0], name="w")
    masked = model_pruning.apply_mask(w, "layer")
    step = tf.train.create_global_step()
    pruning = model_pruning.Pruning()
    update = pruning.conditional_mask_update_op()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(update)
        assert sess.run(masked).tolist() == [3, -1, 0.5, -4]  # at step 0 nothing is due
        sess.run(step.assign(100))
        sess.run(update)
        assert sess.run(masked).tolist() == [3, 0, 0, -4]


def test_counters_of_a_gpu_are_refused_on_a_cpu():
    stats = tf.contrib.memory_stats
    for make in (stats.BytesInUse, stats.BytesLimit, stats.MaxBytesInUse):
        counter = make()
        assert (counter.op.type, counter.dtype, counter.shape) == (make.__name__, tf.int64, [])
        with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match=f"support Op '{make.__name__}'"):
            sess.run(counter)


def test_names_of_tpus_are_not_looked_up(monkeypatch):
    with pytest.raises(
        ImportError, match=r"address of the TPU 'my-tpu'(.|\n)*TPUClusterResolver\('grpc://HOST:PORT'\)"
    ):
        tf.distribute.cluster_resolver.TPUClusterResolver("my-tpu", zone="z", project="p")
    monkeypatch.setenv("TPU_NAME", "grpc://1.2.3.4:5")
    assert tf.contrib.cluster_resolver.TPUClusterResolver().master() == "grpc://1.2.3.4:5"


def test_a_head_trains_a_model_of_an_estimator(tmp_path):
    head = tf.estimator.MultiClassHead(3, label_vocabulary=["a", "b", "c"])

    def model(features, labels, mode):
        logits = tf.layers.dense(features["x"], 3, kernel_initializer=tf.zeros_initializer())
        with tf.variable_scope("", reuse=tf.AUTO_REUSE):
            step = tf.train.get_or_create_global_step()
        optimizer = tf.train.GradientDescentOptimizer(0.5)
        return head.create_estimator_spec(
            features, mode, logits, labels, train_op_fn=lambda loss: optimizer.minimize(loss, step)
        )

    x, y = np.eye(3, dtype="f"), np.array([["b"], ["c"], ["a"]])
    read = tf.estimator.inputs.numpy_input_fn({"x": x}, y, batch_size=3, num_epochs=None, shuffle=False)
    once = tf.estimator.inputs.numpy_input_fn({"x": x}, y, batch_size=3, shuffle=False)
    estimator = tf.estimator.Estimator(model, str(tmp_path)).train(read, steps=10)
    results = estimator.evaluate(once, steps=1)
    assert results["accuracy"] == 1
    assert results["loss"] == pytest.approx(results["average_loss"])
    assert [p["classes"].tolist() for p in estimator.predict(once)] == [[b"b"], [b"c"], [b"a"]]


def test_fused_convolutions_give_each_image_its_own():
    from retrograd.tf import raw_ops

    x, w = np.arange(32, dtype="f").reshape(2, 4, 4, 1), np.float32([[[[1]], [[2]]]])
    same = {"filter": w, "mode": "SYMMETRIC", "strides": [1, 1, 1, 1], "padding": "VALID"}
    pads = [[0, 0], [1, 1], [0, 2], [0, 0]]
    bordered = raw_ops.FusedPadConv2D(input=x, paddings=pads, **same)
    resized = raw_ops.FusedResizeAndPadConv2D(input=x, size=[6, 5], paddings=pads, **same)
    plain = [
        tf.nn.conv2d(tf.pad(images, pads, "SYMMETRIC"), w, [1, 1, 1, 1], "VALID")
        for images in (tf.constant(x), tf.image.resize_bilinear(x, [6, 5]))
    ]
    with tf.Session() as sess:
        for fused, each in zip(sess.run([bordered, resized]), sess.run(plain), strict=True):
            np.testing.assert_allclose(fused, each)
    with pytest.raises(LookupError, match="FusedPadConv2D"):
        tf.gradients(bordered, [bordered.op.inputs[0]])


def test_normalizations_by_single_ops_are_not_folded():
    x = tf.placeholder(tf.float32, [2, 4, 4, 3])
    normalizer = {"normalizer_fn": tf.contrib.layers.batch_norm, "normalizer_params": {"fused": False}}
    tf.contrib.layers.conv2d(x, 3, 3, **normalizer)
    with pytest.raises(NotImplementedError, match=r"batch_norm\(\.\.\., fused=True\)"):
        tf.contrib.quantize.create_training_graph()


def test_quantized_training_finds_ranges_that_evaluation_uses(tmp_path):
    x = np.random.RandomState(0).randn(64, 4).astype("f")
    target = np.maximum(x @ np.float32([1, -2, 0.5, 0]), 0)[:, None]

    def network():
        tf.set_random_seed(1)
        y = tf.contrib.layers.fully_connected(tf.constant(x), 8, scope="a")
        return tf.contrib.layers.fully_connected(y, 1, activation_fn=None, scope="b")

    y = network()
    tf.contrib.quantize.create_training_graph()
    loss = tf.reduce_mean((y - target) ** 2)
    step = tf.train.AdamOptimizer(0.1).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        first = sess.run(loss)
        for _ in range(20):
            sess.run(step)
        assert sess.run(loss) < first / 2
        path = tf.train.Saver().save(sess, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.Session() as sess:
        y = network()
        tf.contrib.quantize.create_eval_graph()
        quantized = [op for op in y.graph.get_operations() if op.type == "FakeQuantWithMinMaxVars"]
        tf.train.Saver().restore(sess, path)
        assert len(np.unique(sess.run(quantized[0].outputs[0]))) <= 256
        assert np.mean((sess.run(y) - target) ** 2) < first / 2


def test_pairs_of_one_distance_are_matched_by_rows():
    distances = np.ones((12, 12), "f")
    distances[7, 2] = 0
    rows, columns = tf.contrib.image.bipartite_match(distances, -1.0)
    with tf.Session() as sess:
        assert sess.run(rows).tolist() == [0, 1, 3, 4, 5, 6, 7, 2, 8, 9, 10, 11]
        assert sess.run(columns).tolist() == [0, 1, 7, 2, 3, 4, 5, 6, 8, 9, 10, 11]
