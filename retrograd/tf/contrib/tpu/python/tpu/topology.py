"""The names of ``tensorflow.contrib.tpu.python.tpu.topology``."""

from retrograd.distribute.topologies import Topology
from retrograd.faces import missing

__getattr__ = missing(__name__)
