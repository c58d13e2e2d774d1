"""The names of ``tensorflow.contrib.image.python.ops.distort_image_ops``."""

from retrograd.faces import missing
from retrograd.nn.image.colors import adjust_hsv_in_yiq, random_hsv_in_yiq

__getattr__ = missing(__name__)
