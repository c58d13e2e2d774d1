"""The names of ``tensorflow.contrib.opt.python.training.external_optimizer``."""

from retrograd.faces import missing
from retrograd.train.external import ExternalOptimizerInterface, ScipyOptimizerInterface

__getattr__ = missing(__name__)
