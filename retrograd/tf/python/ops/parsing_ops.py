"""The names of ``tensorflow.python.ops.parsing_ops``."""

from retrograd.faces import missing
from retrograd.ops.strings import string_to_number

__getattr__ = missing(__name__)
