"""The names of ``tensorflow.contrib.image.python.ops.image_ops``."""

from retrograd.faces import missing
from retrograd.nn.contrib.images import (
    angles_to_projective_transforms,
    compose_transforms,
    rotate,
    translate,
    translations_to_projective_transforms,
)
from retrograd.ops.image_regions import bipartite_match, connected_components
from retrograd.ops.projections import flat_transforms_to_matrices, matrices_to_flat_transforms, transform

__getattr__ = missing(__name__)
