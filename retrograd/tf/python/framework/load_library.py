"""The names of ``tensorflow.python.framework.load_library``."""

from retrograd.faces import missing
from retrograd.io.native_libraries import load_file_system_library, load_library, load_op_library

__getattr__ = missing(__name__)
