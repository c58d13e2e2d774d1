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
    return found
