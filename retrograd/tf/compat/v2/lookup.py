"""The names of ``tensorflow.compat.v2.lookup``."""

from retrograd.faces import missing
from retrograd.io.table_initializers import KeyValueTensorInitializer, TextFileIndex, TextFileInitializer

__getattr__ = missing(__name__)
