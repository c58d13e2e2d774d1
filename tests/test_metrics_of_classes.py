"""Metrics of several classes, which programs build from the counts of a confusion matrix."""

from __future__ import annotations

from retrograd import tf
from retrograd.tf.python.ops.metrics_impl import _streaming_confusion_matrix


def test_confusions_are_counted_over_batches() -> None:
    labels = tf.placeholder(tf.int32, [2])
    matrix, update = _streaming_confusion_matrix(labels, tf.constant([1, 1]), 3, weights=tf.constant([2.0, 0.5]))
    assert (matrix.op.name, update.op.type) == ("total_confusion_matrix", "AssignAdd")
    assert tf.get_collection(tf.GraphKeys.METRIC_VARIABLES) == [matrix]
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        session.run(update, {labels: [0, 1]})
        session.run(update, {labels: [2, 1]})
        # as TensorFlow 1.15.5 counts: a row for a class, a column for what it was taken for
        assert session.run(matrix).tolist() == [[0, 2, 0], [0, 1, 0], [0, 2, 0]]
