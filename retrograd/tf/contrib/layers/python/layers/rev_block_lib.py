"""The names of ``tensorflow.contrib.layers.python.layers.rev_block_lib``."""

from retrograd.faces import missing
from retrograd.nn.contrib.reversible import RevBlock, rev_block
from retrograd.state.custom_gradient import recomputed_layer as recompute_grad

__getattr__ = missing(__name__)
