"""The names of ``tensorflow.python.estimator.canned.linear``."""

from retrograd.faces import missing

_LAZY = {
    "LinearClassifier": "retrograd.tf.estimator",
    "LinearEstimator": "retrograd.tf.estimator",
    "LinearRegressor": "retrograd.tf.estimator",
}
__getattr__ = missing(__name__, _LAZY)
