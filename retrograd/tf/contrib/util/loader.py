"""The names of ``tensorflow.contrib.util.loader``."""

from retrograd.faces import missing
from retrograd.io.native_libraries import load_op_library

__getattr__ = missing(__name__)
