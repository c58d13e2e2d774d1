"""The names of ``tensorflow.python.framework.random_seed``."""

from retrograd.faces import missing
from retrograd.ops.philox import DEFAULT_GRAPH_SEED
from retrograd.ops.random import get_seed, set_random_seed

__getattr__ = missing(__name__)
