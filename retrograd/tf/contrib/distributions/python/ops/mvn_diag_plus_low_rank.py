"""The names of ``tensorflow.contrib.distributions.python.ops.mvn_diag_plus_low_rank``."""

from retrograd.faces import missing
from retrograd.nn.distributions.normal_vectors import MultivariateNormalDiagPlusLowRank

__getattr__ = missing(__name__)
