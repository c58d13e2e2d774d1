"""The names of ``tensorflow.contrib.image``."""

from retrograd.faces import missing
from retrograd.nn.contrib.images import (
    angles_to_projective_transforms,
    compose_transforms,
    dense_image_warp,
    rotate,
    translate,
    translations_to_projective_transforms,
)
from retrograd.nn.contrib.warping import interpolate_spline, sparse_image_warp
from retrograd.ops.image_regions import bipartite_match, connected_components
from retrograd.ops.projections import flat_transforms_to_matrices, matrices_to_flat_transforms, transform

__getattr__ = missing(__name__)
