"""The names of ``tensorflow.contrib.factorization.python.ops.gmm_ops``."""

from retrograd.contrib.mixtures import (
    DIAG_COVARIANCE,
    FULL_COVARIANCE,
    GmmAlgorithm,
    gmm,
)
from retrograd.contrib.mixtures import (
    covariance as _covariance,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
