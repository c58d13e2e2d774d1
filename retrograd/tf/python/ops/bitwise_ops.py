"""The names of ``tensorflow.python.ops.bitwise_ops``."""

from retrograd.faces import missing
from retrograd.ops.bitwise import (
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    invert,
    left_shift,
    population_count,
    right_shift,
)

__getattr__ = missing(__name__)
