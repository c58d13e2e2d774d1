"""The names of ``tensorflow.image``."""

from retrograd.faces import missing
from retrograd.ops.random import random_crop

__getattr__ = missing(__name__)
