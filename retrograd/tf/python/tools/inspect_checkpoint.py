"""The names of ``tensorflow.python.tools.inspect_checkpoint``."""

from retrograd.faces import missing
from retrograd.io.tools import print_tensors_in_checkpoint_file

__getattr__ = missing(__name__)
