"""The names of ``tensorflow.contrib.metrics.python.ops.histogram_ops``."""

from retrograd.faces import missing
from retrograd.nn.contrib.curves import _summed as _strict_1d_cumsum
from retrograd.nn.contrib.curves import auc_using_histogram

__getattr__ = missing(__name__)
