"""Models of ``tf.contrib.estimator`` and trainings by coordinate ascent, whose variables and metrics are recorded."""

import os
import re


def _sequences(tf):
    where = [[0, 0], [0, 1], [1, 0], [2, 0], [2, 1], [2, 2]]
    features = {
        "w": tf.SparseTensor(where, ["a", "b", "c", "b", "a", "c"], [3, 3]),
        "n": tf.SparseTensor(where, tf.constant([1.0, 2, 3, 4, 5, 6]), [3, 3]),
        "c": tf.constant([[1.0], [2.0], [3.0]]),
    }
    return features, tf.constant([[1], [0], [1]])


def _columns(tf):
    columns = tf.contrib.feature_column
    words = columns.sequence_categorical_column_with_vocabulary_list("w", ["a", "b", "c"])
    steps = [tf.feature_column.embedding_column(words, 2), columns.sequence_numeric_column("n")]
    return steps, [tf.feature_column.numeric_column("c")]


def recurrent(tf):
    """Models by name: functions of a configuration."""
    models = tf.contrib.estimator
    steps, context = _columns(tf)

    def cell(mode):
        return tf.nn.rnn_cell.LSTMCell(3 if mode else 0)

    return {
        "layers": lambda config: models.RNNClassifier(
            steps, context, num_units=[4, 3], cell_type="lstm", config=config
        ),
        "classes": lambda config: models.RNNClassifier(
            steps, num_units=[4], cell_type="gru", n_classes=3, optimizer="Adam", config=config
        ),
        "steep": lambda config: models.RNNEstimator(
            models.regression_head(weight_column="c"), steps, num_units=[4], config=config,
            optimizer=lambda: tf.train.GradientDescentOptimizer(4.0),
        ),
        "cell": lambda config: models.RNNEstimator(models.regression_head(), steps, rnn_cell_fn=cell, config=config),
    }  # fmt: skip


def mistakes(tf, folder):
    models = tf.contrib.estimator
    steps, context = _columns(tf)

    def trained(*args, **kwargs):
        config = tf.estimator.RunConfig(folder)
        return lambda: models.RNNClassifier(*args, config=config, **kwargs).train(lambda: _sequences(tf), steps=1)

    yield trained(steps, num_units=[4], rnn_cell_fn=len)
    yield trained(steps, cell_type="lstm", rnn_cell_fn=len)
    yield trained(steps)
    yield trained(steps, num_units=[])
    yield trained(steps, num_units=[4], cell_type="other")
    yield trained(steps, num_units=[4], cell_type=dict)
    yield trained(steps, num_units=[4], n_classes=1)
    yield trained(context, num_units=[4])
    yield trained([], num_units=[4])
    yield lambda: models.RNNEstimator(models.regression_head(), steps, num_units=[4], return_sequences=True)


def _examples(tf, labels):
    """One example at a time: what the ascent finds then follows from no order."""

    def features():
        k = tf.SparseTensor([[0, 0], [1, 0], [1, 1], [1, 2], [3, 0]], ["a", "b", "a", "b", "z"], [4, 3])
        data = {
            "id": ["1", "2", "3", "4"], "x": [[1.0, 0.5], [0.3, 2.0], [-1.0, 0.2], [0.4, 0.4]], "k": k,
            "w": [[1.0], [2.0], [0.5], [1.0]], "n": [[3.0], [1.0], [9.0], [4.0]], "v": ["a", "b", "c", "b"],
            "m": [[[1.0, 2.0]]] * 4,
        }  # fmt: skip
        return tf.data.Dataset.from_tensor_slices((data, labels)).batch(1, drop_remainder=True).repeat()

    return features


def ascents(tf):
    """Linear models by coordinate ascent: the estimator, by its settings, and the labels."""
    columns, estimator = tf.feature_column, tf.estimator
    make = tf.estimator.experimental.LinearSDCA
    x, n = columns.numeric_column("x", shape=(2,)), columns.numeric_column("n")
    k = columns.categorical_column_with_vocabulary_list("k", ["a", "b"])
    b, v = columns.bucketized_column(n, [2.0, 5.0]), columns.categorical_column_with_hash_bucket("v", 5)
    weighted = columns.weighted_categorical_column(v, "w")
    numbers, classes = [[1.0], [2.0], [3.0], [0.5]], [[1], [0], [1], [0]]
    parts = tf.fixed_size_partitioner(2)
    heads, binary = tf.contrib.estimator, tf.estimator.BinaryClassHead()
    old, learn = tf.contrib.layers, tf.contrib.learn
    first = [old.real_valued_column("x", 2), old.sparse_column_with_keys("k", ["a", "b"])]
    first.append(old.bucketized_column(old.real_valued_column("n"), [2.0, 5.0]))
    by_dual = tf.contrib.linear_optimizer.SDCAOptimizer

    def linear(kind, *args, labels=classes, shared=None, **sdca):
        more = shared or {}
        return lambda config: kind(*args, config=config, optimizer=make("id", **sdca), **more), labels

    return {
        "sdca classes": linear(
            estimator.LinearClassifier, [x, k, b], symmetric_l2_regularization=2.0, shared={"weight_column": "w"}
        ),
        "sdca numbers": linear(
            estimator.LinearRegressor, [x, b, v], labels=numbers, symmetric_l1_regularization=0.1
        ),
        "sdca shards": linear(estimator.LinearRegressor, [x, v], labels=numbers, num_table_shards=3),
        "sdca weights": linear(estimator.LinearClassifier, [weighted, x], symmetric_l2_regularization=0.5),
        "sdca parts": linear(estimator.LinearClassifier, [x, k], shared={"partitioner": parts}, adaptive=True),
        "sdca poisson": linear(estimator.LinearEstimator, heads.poisson_regression_head(), [x], labels=numbers),
        "sdca binary": linear(estimator.LinearEstimator, binary, [x, k], num_loss_partitions=2),
        "sdca crossed": linear(estimator.LinearClassifier, [columns.crossed_column(["v", "k"], 7)]),
        "dual classes": (
            lambda config: learn.LinearClassifier(
                first, weight_column_name="w", config=config, optimizer=by_dual("id", symmetric_l2_regularization=2.0)
            ), classes,
        ),
        "dual numbers": (
            lambda config: learn.LinearRegressor(
                first, config=config, optimizer=by_dual("id", symmetric_l1_regularization=0.1, num_table_shards=2)
            ), numbers,
        ),
        "machine": (lambda config: learn.SVM("id", first, l1_regularization=0.05, config=config), classes),
    }  # fmt: skip


def mistaken_ascents(tf, folder):
    columns, estimator = tf.feature_column, tf.estimator
    sdca = tf.estimator.experimental.LinearSDCA("id")
    x, data = columns.numeric_column("x", shape=(2,)), _examples(tf, [[1], [0], [1], [0]])
    flat = columns.indicator_column(columns.categorical_column_with_vocabulary_list("k", ["a", "b"]))
    old = tf.contrib.layers.real_valued_column("x", 2)
    by_dual = tf.contrib.linear_optimizer.SDCAOptimizer("id")

    def trained(column, **options):
        made = tf.estimator.experimental.LinearSDCA("id", **options)
        config = tf.estimator.RunConfig(folder)
        return lambda: estimator.LinearClassifier([column], optimizer=made, config=config).train(data, steps=1)

    yield lambda: estimator.LinearClassifier([x], n_classes=3, optimizer=sdca)
    yield lambda: estimator.LinearRegressor([x], label_dimension=2, optimizer=sdca)
    yield lambda: estimator.LinearClassifier([x], sparse_combiner="mean", optimizer=sdca)
    yield lambda: estimator.LinearClassifier([old], optimizer=sdca)
    yield trained(flat)
    yield trained(columns.numeric_column("m", shape=(1, 2)))
    yield trained(x, symmetric_l2_regularization=0.0)
    yield trained(x, symmetric_l1_regularization=-1.0)
    yield trained(x, num_loss_partitions=0)
    yield lambda: tf.contrib.learn.LinearClassifier([old], optimizer=by_dual, enable_centered_bias=True)
    yield lambda: tf.contrib.learn.LinearClassifier([old], optimizer=by_dual, n_classes=3)
    yield lambda: tf.contrib.learn.LinearRegressor([old], optimizer=by_dual, label_dimension=2)
    yield lambda: tf.contrib.learn.LinearEstimator(
        [old], tf.contrib.learn.regression_head(), optimizer=by_dual
    )
    yield lambda: tf.contrib.learn.SVM("id", [old], kernels=[1])
    yield lambda: tf.contrib.kernel_methods.KernelLinearClassifier()
    yield lambda: tf.contrib.kernel_methods.KernelLinearClassifier([old], kernel_mappers={old: [1]})


def left_by_ascent(tf, estimator, data):
    """What is left, but for the tables of examples, which TensorFlow keeps in buckets."""
    if hasattr(estimator, "fit"):
        def entries():
            return tf.compat.v1.data.make_one_shot_iterator(data()).get_next()

        estimator.fit(input_fn=entries, steps=7)
        metrics = estimator.evaluate(input_fn=entries, steps=4)
    else:
        estimator.train(data, steps=7)
        metrics = estimator.evaluate(data, steps=4)
    names = [n for n in estimator.get_variable_names() if "Sharded" not in n]
    return {
        "variables": {n: estimator.get_variable_value(n).tolist() for n in names},
        "tables": {n: 1.0 for n in estimator.get_variable_names() if "Sharded" in n},
        "metrics": {k: float(v) for k, v in metrics.items()},
    }


def told(call):
    try:
        call()
    except Exception as e:
        return [type(e).__name__, re.sub(r"<class .*?>", "CLASS", str(e).split("\n")[0])]
    return None


def left(estimator, data, steps):
    """What a training leaves: variables and metrics."""
    estimator.train(data, steps=steps)
    return {
        "variables": {n: estimator.get_variable_value(n).tolist() for n in estimator.get_variable_names()},
        "metrics": {k: float(v) for k, v in estimator.evaluate(data, steps=1).items()},
    }


def outcome(tf, folder):
    found = {"errors": [told(call) for call in mistakes(tf, os.path.join(folder, "errors"))]}
    for name, make in recurrent(tf).items():
        config = tf.estimator.RunConfig(os.path.join(folder, name), tf_random_seed=1)
        found[name] = left(make(config), lambda: _sequences(tf), 3)
    found["errors of ascent"] = [told(c) for c in mistaken_ascents(tf, os.path.join(folder, "errors of ascent"))]
    for name, (make, labels) in ascents(tf).items():
        kind = tf.contrib.learn.RunConfig if name.startswith(("dual", "machine")) else tf.estimator.RunConfig
        config = kind(model_dir=os.path.join(folder, name), tf_random_seed=1)
        found[name] = left_by_ascent(tf, make(config), _examples(tf, labels))
    return found
