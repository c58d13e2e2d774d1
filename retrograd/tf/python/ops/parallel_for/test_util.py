"""The names of ``tensorflow.python.ops.parallel_for.test_util``."""

from retrograd.faces import missing
from retrograd.testing.rows import PForTestCase

__getattr__ = missing(__name__)
