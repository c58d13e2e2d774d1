"""The names of ``tensorflow.python.estimator.inputs.pandas_io``."""

from retrograd.estimator.inputs import pandas_input_fn
from retrograd.faces import missing

__getattr__ = missing(__name__)
