"""The names of ``tensorflow.core.kernels.boosted_trees``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
