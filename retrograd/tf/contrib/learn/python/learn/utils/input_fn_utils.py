"""The names of ``tensorflow.contrib.learn.python.learn.utils.input_fn_utils``."""

from retrograd.estimator.older.arrays import InputFnOps, build_parsing_serving_input_fn
from retrograd.faces import missing

__getattr__ = missing(__name__)
