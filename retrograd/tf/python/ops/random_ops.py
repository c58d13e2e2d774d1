"""The names of ``tensorflow.python.ops.random_ops``."""

from retrograd.faces import missing
from retrograd.ops.random import random_normal, random_uniform, truncated_normal

__getattr__ = missing(__name__)
