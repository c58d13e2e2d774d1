"""The names of ``tensorflow.contrib.linear_optimizer.python.ops.sdca_ops``."""

from retrograd.contrib.coordinate_ascent import SdcaModel
from retrograd.faces import missing

__getattr__ = missing(__name__)
