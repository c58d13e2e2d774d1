"""The names of ``tensorflow.contrib.image.python.ops.dense_image_warp``."""

from retrograd.faces import missing
from retrograd.nn.contrib.images import _interpolate_bilinear, dense_image_warp

__getattr__ = missing(__name__)
