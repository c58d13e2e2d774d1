"""The names of ``tensorflow.contrib.learn.datasets.base``."""

from retrograd.faces import missing
from retrograd.io.small_sets import (
    load_boston,
    load_csv_with_header,
    load_csv_without_header,
    load_iris,
    retry,
    shrink_csv,
)

__getattr__ = missing(__name__)
