"""The names of ``tensorflow.python.ops.ragged.ragged_factory_ops``."""

from retrograd.faces import missing
from retrograd.ragged.making import (
    _depths as _find_scalar_and_max_depth,
)
from retrograd.ragged.making import (
    _inner_shape as _default_inner_shape_for_pylist,
)
from retrograd.ragged.making import (
    constant,
    constant_value,
    placeholder,
)

__getattr__ = missing(__name__)
