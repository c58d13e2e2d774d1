"""The names of ``tensorflow.contrib.learn.io``."""

from retrograd.estimator.older.frames import extract_pandas_data, extract_pandas_labels, extract_pandas_matrix
from retrograd.faces import missing

__getattr__ = missing(__name__)
