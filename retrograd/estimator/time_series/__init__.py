"""``tf.contrib.timeseries``: readers of series, window-based and sequential models, and their estimators.

Source: TensorFlow 1.15.5's names, order of nodes and messages of ``tf.contrib.timeseries``.
"""
