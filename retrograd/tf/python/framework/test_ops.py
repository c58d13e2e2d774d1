"""The names of ``tensorflow.python.framework.test_ops``."""

from retrograd.faces import missing
from retrograd.ops.elementwise import binary, unary

__getattr__ = missing(__name__)
