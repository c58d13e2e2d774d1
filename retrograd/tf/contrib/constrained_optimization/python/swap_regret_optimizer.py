"""The names of ``tensorflow.contrib.constrained_optimization.python.swap_regret_optimizer``."""

from retrograd.contrib.constrained import (
    AdditiveSwapRegretOptimizer,
    MultiplicativeSwapRegretOptimizer,
)
from retrograd.contrib.constrained import (
    largest_eigenvector as _maximal_eigenvector_power_method,
)
from retrograd.contrib.constrained import (
    project_log_stochastic_matrix as _project_log_stochastic_matrix_wrt_kl_divergence,
)
from retrograd.contrib.constrained import (
    project_stochastic_matrix as _project_stochastic_matrix_wrt_euclidean_norm,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
