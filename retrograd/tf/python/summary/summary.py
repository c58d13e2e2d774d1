"""The names of ``tensorflow.python.summary.summary``."""

from retrograd.faces import missing
from retrograd.ops.dataflow import merge

__getattr__ = missing(__name__)
