"""The names of ``tensorflow.random``."""

from retrograd.faces import missing
from retrograd.ops.random import (
    get_seed,
    set_random_seed,
    truncated_normal,
)
from retrograd.ops.random import (
    random_normal as normal,
)
from retrograd.ops.random import (
    random_uniform as uniform,
)

__getattr__ = missing(__name__)
