"""The names of ``tensorflow.manip``."""

from retrograd.faces import missing
from retrograd.ops.arrays import reshape
from retrograd.ops.blocks import batch_to_space_nd, space_to_batch_nd
from retrograd.ops.indexing import gather_nd
from retrograd.ops.permuting import reverse, roll
from retrograd.ops.repeating import tile
from retrograd.ops.scattering import scatter_nd

__getattr__ = missing(__name__)
