"""The names of ``tensorflow.contrib.periodic_resample.python.ops.periodic_resample_op``."""

from retrograd.faces import missing
from retrograd.ops.periodic import periodic_resample

__getattr__ = missing(__name__)
