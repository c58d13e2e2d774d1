"""The names of ``tensorflow.estimator.inputs``."""

from retrograd.estimator.inputs import numpy_input_fn, pandas_input_fn
from retrograd.faces import missing

__getattr__ = missing(__name__)
