"""The names of ``tensorflow.python.data.experimental.ops.resampling``."""

from retrograd.data.resampling import rejection_resample
from retrograd.faces import missing

__getattr__ = missing(__name__)
