"""The names of ``tensorflow.python.ops.gen_sdca_ops``."""

from retrograd.faces import missing
from retrograd.ops.sdca import sdca_fprint, sdca_optimizer, sdca_optimizer_v2, sdca_shrink_l1

__getattr__ = missing(__name__, raw=True)
