"""The names of ``tensorflow.contrib.constrained_optimization.python.candidates``."""

from retrograd.contrib.candidates import find_best_candidate_distribution, find_best_candidate_index
from retrograd.faces import missing

__getattr__ = missing(__name__)
