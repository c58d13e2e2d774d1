"""The names of ``tensorflow.contrib.image.ops.gen_image_ops``."""

from retrograd.faces import missing
from retrograd.ops.projections import image_projective_transform

__getattr__ = missing(__name__, raw=True)
