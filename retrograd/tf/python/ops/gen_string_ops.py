"""The names of ``tensorflow.python.ops.gen_string_ops``."""

from retrograd.faces import missing
from retrograd.ops.printing import string_format

__getattr__ = missing(__name__, raw=True)
