"""The names of ``tensorflow.compat.v2.bitwise``."""

from retrograd.faces import missing
from retrograd.ragged.dispatching import bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift

__getattr__ = missing(__name__)
