"""The names of ``tensorflow.contrib.learn.python.learn.learn_io.pandas_io``."""

from retrograd.estimator.older.frames import extract_pandas_data, extract_pandas_labels, extract_pandas_matrix
from retrograd.estimator.older.inputs import pandas_input_fn
from retrograd.faces import missing

__getattr__ = missing(__name__)
