"""The names of ``tensorflow.contrib.input_pipeline.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
