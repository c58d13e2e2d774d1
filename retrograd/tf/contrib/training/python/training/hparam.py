"""The names of ``tensorflow.contrib.training.python.training.hparam``."""

from retrograd.faces import missing
from retrograd.train.hparams import HParams, parse_values

__getattr__ = missing(__name__)
