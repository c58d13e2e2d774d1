"""The names of ``tensorflow.python.estimator.canned.optimizers``."""

from retrograd.estimator.canned.optimizers import get_optimizer_instance
from retrograd.faces import missing

__getattr__ = missing(__name__)
