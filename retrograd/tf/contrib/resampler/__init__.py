"""The names of ``tensorflow.contrib.resampler``."""

from retrograd.faces import missing
from retrograd.ops.resampling import resampler

__getattr__ = missing(__name__)
