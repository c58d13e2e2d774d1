"""The names of ``tensorflow.contrib.input_pipeline.python.ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
