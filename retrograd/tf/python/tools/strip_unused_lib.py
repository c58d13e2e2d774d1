"""The names of ``tensorflow.python.tools.strip_unused_lib``."""

from retrograd.faces import missing
from retrograd.io.inference_graphs import strip_unused
from retrograd.io.tools import strip_unused_from_files

__getattr__ = missing(__name__)
