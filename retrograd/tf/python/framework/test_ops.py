"""The names of ``tensorflow.python.framework.test_ops``."""

from retrograd.faces import missing
from retrograd.testing import test_ops

__getattr__ = missing(__name__, raw=True)
