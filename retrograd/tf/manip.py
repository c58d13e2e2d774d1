"""The names of ``tensorflow.manip``."""

from retrograd.faces import missing
from retrograd.ops.arrays import reshape
from retrograd.ops.blocks import batch_to_space_nd, space_to_batch_nd
from retrograd.ops.permuting import reverse, roll
from retrograd.ops.scattering import scatter_nd
from retrograd.ragged.dispatching import gather_nd, tile

__getattr__ = missing(__name__)
