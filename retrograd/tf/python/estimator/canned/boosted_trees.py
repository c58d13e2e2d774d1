"""The names of ``tensorflow.python.estimator.canned.boosted_trees``."""

from retrograd.faces import missing

_LAZY = {
    "BoostedTreesClassifier": "retrograd.tf.estimator",
    "BoostedTreesEstimator": "retrograd.tf.estimator",
    "BoostedTreesRegressor": "retrograd.tf.estimator",
}
__getattr__ = missing(__name__, _LAZY)
