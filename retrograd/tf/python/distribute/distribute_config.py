"""The names of ``tensorflow.python.distribute.distribute_config``."""

from retrograd.distribute.kinds import DistributeConfig
from retrograd.faces import missing

__getattr__ = missing(__name__)
