"""The names of ``tensorflow.python.ops.gen_bitwise_ops``."""

from retrograd.faces import missing
from retrograd.ops.bitwise import population_count
from retrograd.ragged.dispatching import bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift

__getattr__ = missing(__name__, raw=True)
