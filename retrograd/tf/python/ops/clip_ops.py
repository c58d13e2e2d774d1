"""The names of ``tensorflow.python.ops.clip_ops``."""

from retrograd.faces import missing
from retrograd.ops.clipping import (
    clip_by_average_norm,
    clip_by_global_norm,
    clip_by_norm,
    clip_by_value,
    global_norm,
)

__getattr__ = missing(__name__)
