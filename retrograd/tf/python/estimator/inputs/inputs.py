"""The names of ``tensorflow.python.estimator.inputs.inputs``."""

from retrograd.estimator.inputs import numpy_input_fn, pandas_input_fn
from retrograd.faces import missing

__getattr__ = missing(__name__)
