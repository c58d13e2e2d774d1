"""The names of ``tensorflow.contrib.learn.python.learn.learn_io.generator_io``."""

from retrograd.estimator.older.inputs import generator_input_fn
from retrograd.faces import missing

__getattr__ = missing(__name__)
