"""The names of ``tensorflow.contrib.constrained_optimization.python.external_regret_optimizer``."""

from retrograd.contrib.constrained import (
    AdditiveExternalRegretOptimizer,
)
from retrograd.contrib.constrained import (
    project_multipliers as _project_multipliers_wrt_euclidean_norm,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
