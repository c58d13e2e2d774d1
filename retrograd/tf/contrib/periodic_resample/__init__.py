"""The names of ``tensorflow.contrib.periodic_resample``."""

from retrograd.faces import missing
from retrograd.ops.periodic import periodic_resample

__getattr__ = missing(__name__)
