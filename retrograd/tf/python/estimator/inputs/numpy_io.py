"""The names of ``tensorflow.python.estimator.inputs.numpy_io``."""

from retrograd.estimator.inputs import numpy_input_fn
from retrograd.faces import missing

__getattr__ = missing(__name__)
