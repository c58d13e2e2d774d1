"""The names of ``tensorflow.contrib.layers.python.layers.rev_block_lib``."""

from retrograd.faces import missing
from retrograd.state.custom_gradient import recomputed_layer as recompute_grad

__getattr__ = missing(__name__)
