"""The names of ``tensorflow.python.ops.stateful_random_ops``."""

from retrograd.faces import missing
from retrograd.io.random_generators import (
    Generator,
    create_rng_state,
    get_global_generator,
    set_global_generator,
)
from retrograd.ops.stateful_random import non_deterministic_ints

__getattr__ = missing(__name__)
