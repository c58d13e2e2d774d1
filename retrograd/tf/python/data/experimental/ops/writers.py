"""The names of ``tensorflow.python.data.experimental.ops.writers``."""

from retrograd.data.experimental import TFRecordWriter
from retrograd.faces import missing

__getattr__ = missing(__name__)
