"""The names of ``tensorflow.contrib.learn.python.learn.utils``."""

from retrograd.estimator.older.exporting import make_export_strategy
from retrograd.faces import missing

_LAZY = {
    "InputFnOps": "retrograd.tf.contrib.learn.utils",
    "build_parsing_serving_input_fn": "retrograd.tf.contrib.learn.utils",
}
__getattr__ = missing(__name__, _LAZY)
