"""The names of ``tensorflow.python.estimator.canned.baseline``."""

from retrograd.faces import missing

_LAZY = {
    "BaselineClassifier": "retrograd.tf.estimator",
    "BaselineEstimator": "retrograd.tf.estimator",
    "BaselineRegressor": "retrograd.tf.estimator",
}
__getattr__ = missing(__name__, _LAZY)
