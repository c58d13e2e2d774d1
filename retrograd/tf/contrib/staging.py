"""The names of ``tensorflow.contrib.staging``."""

from retrograd.faces import missing
from retrograd.ops.staging import StagingArea

__getattr__ = missing(__name__)
