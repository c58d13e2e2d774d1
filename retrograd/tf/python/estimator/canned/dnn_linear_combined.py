"""The names of ``tensorflow.python.estimator.canned.dnn_linear_combined``."""

from retrograd.faces import missing

_LAZY = {
    "DNNLinearCombinedClassifier": "retrograd.tf.estimator",
    "DNNLinearCombinedEstimator": "retrograd.tf.estimator",
    "DNNLinearCombinedRegressor": "retrograd.tf.estimator",
}
__getattr__ = missing(__name__, _LAZY)
