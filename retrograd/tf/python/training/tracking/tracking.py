"""The names of ``tensorflow.python.training.tracking.tracking``."""

from retrograd.faces import missing
from retrograd.io.tracking import AutoTrackable

__getattr__ = missing(__name__)
