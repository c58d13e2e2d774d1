"""The names of ``tensorflow.contrib.stateless``."""

from retrograd.faces import missing
from retrograd.ops.stateless import (
    stateless_multinomial,
    stateless_random_normal,
    stateless_random_uniform,
    stateless_truncated_normal,
)

__getattr__ = missing(__name__)
