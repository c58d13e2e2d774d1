"""The names of ``tensorflow.contrib.distributions.python.ops.sample_stats``."""

from retrograd.faces import missing
from retrograd.nn.distributions.sample_statistics import auto_correlation, percentile

__getattr__ = missing(__name__)
