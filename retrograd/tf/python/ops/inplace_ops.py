"""The names of ``tensorflow.python.ops.inplace_ops``."""

from retrograd.faces import missing
from retrograd.ops.inplace import (
    alias_inplace_add,
    alias_inplace_sub,
    alias_inplace_update,
    empty,
    empty_like,
    inplace_add,
    inplace_sub,
    inplace_update,
)

__getattr__ = missing(__name__)
