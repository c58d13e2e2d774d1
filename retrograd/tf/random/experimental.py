"""The names of ``tensorflow.random.experimental``."""

from retrograd.faces import missing
from retrograd.io.random_generators import (
    Generator,
    create_rng_state,
    get_global_generator,
    set_global_generator,
)

__getattr__ = missing(__name__)
