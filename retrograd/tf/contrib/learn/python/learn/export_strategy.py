"""The names of ``tensorflow.contrib.learn.python.learn.export_strategy``."""

from retrograd.estimator.older.exporting import ExportStrategy
from retrograd.faces import missing

__getattr__ = missing(__name__)
