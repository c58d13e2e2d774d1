"""The names of ``tensorflow.python.estimator.canned.dnn``."""

from retrograd.faces import missing

_LAZY = {
    "DNNClassifier": "retrograd.tf.estimator",
    "DNNEstimator": "retrograd.tf.estimator",
    "DNNRegressor": "retrograd.tf.estimator",
}
__getattr__ = missing(__name__, _LAZY)
