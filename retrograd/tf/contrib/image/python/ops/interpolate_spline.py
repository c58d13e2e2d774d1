"""The names of ``tensorflow.contrib.image.python.ops.interpolate_spline``."""

from retrograd.faces import missing
from retrograd.nn.contrib.warping import interpolate_spline

__getattr__ = missing(__name__)
