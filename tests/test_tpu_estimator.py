"""``tf.contrib.tpu.TPUEstimator`` without a TPU; the numbers are TensorFlow 1.15.5's."""

import numpy as np
import pytest

from retrograd import tf

tpu = tf.contrib.tpu
SEEN = []


def input_fn(params):
    SEEN.append(sorted(params.items()))
    x = tf.data.Dataset.from_tensor_slices(({"x": tf.range(32.0)[:, None]}, tf.range(32.0) * 2)).repeat(2)
    return x.batch(params["batch_size"], drop_remainder=True)


def model_fn(features, labels, mode, params):
    SEEN.append((mode, sorted(params.items())))
    y = tf.layers.dense(features["x"], 1, name="d", kernel_initializer=tf.zeros_initializer())[:, 0]
    if mode == "infer":
        return tpu.TPUEstimatorSpec(mode=mode, predictions={"y": y})
    loss = tf.reduce_mean((y - labels) ** 2)
    if mode == "train":
        step = tf.train.GradientDescentOptimizer(0.0001).minimize(loss, tf.train.get_global_step())
        told = tf.get_variable("told", [], trainable=False, initializer=tf.zeros_initializer())
        host_call = (lambda by: told.assign_add(by), [tf.constant(1.0)])
        return tpu.TPUEstimatorSpec(mode, loss=loss, train_op=step, host_call=host_call, scaffold_fn=tf.train.Scaffold)
    metrics = (lambda a, b: {"mae": tf.metrics.mean_absolute_error(a, b)}, [labels, y])
    return tpu.TPUEstimatorSpec(mode, loss=loss, eval_metrics=metrics)


def config(tmp_path):
    return tpu.RunConfig(model_dir=str(tmp_path), save_checkpoints_steps=1000, tpu_config=tpu.TPUConfig(1000, 8))


def test_the_batch_size_is_a_parameter(tmp_path):
    SEEN.clear()
    estimator = tpu.TPUEstimator(
        model_fn, config=config(tmp_path), params={"q": 1}, use_tpu=False,
        train_batch_size=4, eval_batch_size=8, predict_batch_size=2,
    )  # fmt: skip
    estimator.train(input_fn, max_steps=12)
    found = estimator.evaluate(input_fn)
    np.testing.assert_allclose([found["loss"], found["mae"]], [377.3699, 16.679562], rtol=1e-6)
    np.testing.assert_allclose(next(estimator.predict(input_fn))["y"], 0.049097225, rtol=1e-6)
    assert estimator.get_variable_value("told") in (11, 12)  # the last checkpoint may be older than the last call
    sizes = {"train": 4, "eval": 8, "infer": 2}
    inputs = [[("batch_size", size), ("q", 1)] for size in sizes.values()]
    assert SEEN[::2] == inputs
    assert SEEN[1::2] == [(mode, [*given, ("use_tpu", False)]) for mode, given in zip(sizes, inputs, strict=True)]


def test_its_configuration_is_asked_for(tmp_path):
    changed = config(tmp_path).replace(tpu_config=tpu.TPUConfig(7), save_summary_steps=3)
    assert changed.tpu_config.iterations_per_loop == 7
    assert changed.save_summary_steps == 3
    with pytest.raises(ValueError, match=r"must be provided with type `tpu_config\.RunConfig`"):
        tpu.TPUEstimator(model_fn, config=tf.estimator.RunConfig(), use_tpu=False)
    with pytest.raises(ValueError, match="are reserved keys"):
        tpu.TPUEstimator(model_fn, config=config(tmp_path), params={"batch_size": 3}, use_tpu=False)
    with pytest.raises(ValueError, match="does not include params argument"):
        tpu.TPUEstimator(model_fn, config=config(tmp_path), use_tpu=False).train(lambda: None, steps=1)


def test_a_tpu_is_refused(tmp_path):
    with pytest.raises(RuntimeError, match=r"Cannot find any TPU cores.*\n.*\n  Fix:   TPUEstimator\(use_tpu=False"):
        tpu.TPUEstimator(model_fn, config=config(tmp_path), train_batch_size=4).train(input_fn, steps=1)
    optimizer = tpu.CrossShardOptimizer(tf.train.GradientDescentOptimizer(0.1))
    with tf.Graph().as_default():
        pairs = optimizer.compute_gradients(tf.Variable(1.0) * 2)
        with pytest.raises(NotImplementedError, match="TPU cores"):
            optimizer.apply_gradients(pairs)


def test_there_are_no_shards():
    from retrograd.tf.contrib.tpu.python.tpu import tpu_function

    assert tpu_function.get_tpu_context().number_of_shards is None
