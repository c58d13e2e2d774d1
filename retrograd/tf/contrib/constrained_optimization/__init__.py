"""The names of ``tensorflow.contrib.constrained_optimization``."""

from retrograd.contrib.candidates import find_best_candidate_distribution, find_best_candidate_index
from retrograd.contrib.constrained import (
    AdditiveExternalRegretOptimizer,
    AdditiveSwapRegretOptimizer,
    ConstrainedMinimizationProblem,
    ConstrainedOptimizer,
    MultiplicativeSwapRegretOptimizer,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
