"""The names of ``tensorflow.python.ops.stateless_random_ops``."""

from retrograd.faces import missing
from retrograd.ops.stateless import (
    stateless_categorical,
    stateless_multinomial,
    stateless_random_normal,
    stateless_random_uniform,
    stateless_truncated_normal,
)

__getattr__ = missing(__name__)
