"""The names of ``tensorflow.contrib.image.python.ops.sparse_image_warp``."""

from retrograd.faces import missing
from retrograd.nn.contrib.warping import (
    _boundary as _get_boundary_locations,
)
from retrograd.nn.contrib.warping import (
    _pixels as _get_grid_locations,
)
from retrograd.nn.contrib.warping import (
    sparse_image_warp,
)

__getattr__ = missing(__name__)
