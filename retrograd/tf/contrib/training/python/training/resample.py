"""The names of ``tensorflow.contrib.training.python.training.resample``."""

from retrograd.faces import missing
from retrograd.train.sampling import resample_at_rate, weighted_resample

__getattr__ = missing(__name__)
