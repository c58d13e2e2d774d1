"""The names of ``tensorflow.strings``."""

from retrograd.faces import missing
from retrograd.ops.printing import string_format as format

__getattr__ = missing(__name__)
