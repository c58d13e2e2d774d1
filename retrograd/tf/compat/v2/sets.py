"""The names of ``tensorflow.compat.v2.sets``."""

from retrograd.faces import missing
from retrograd.ops.sets import (
    set_difference as difference,
)
from retrograd.ops.sets import (
    set_intersection as intersection,
)
from retrograd.ops.sets import (
    set_size as size,
)
from retrograd.ops.sets import (
    set_union as union,
)

__getattr__ = missing(__name__)
