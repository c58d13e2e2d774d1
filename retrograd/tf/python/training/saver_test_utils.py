"""The names of ``tensorflow.python.training.saver_test_utils``."""

from retrograd.faces import missing
from retrograd.testing.saved_table import CheckpointedOp

__getattr__ = missing(__name__)
