"""The names of ``tensorflow.python.ops.clip_ops``."""

from retrograd.faces import missing
from retrograd.ops.clipping import clip_by_average_norm, clip_by_global_norm, clip_by_norm, global_norm
from retrograd.ragged.dispatching import clip_by_value

__getattr__ = missing(__name__)
