"""The names of ``tensorflow.contrib.eager.python.network``."""

from retrograd.contrib.eager_networks import Network, Sequential
from retrograd.contrib.network_checkpoints import restore_network_checkpoint, save_network_checkpoint
from retrograd.faces import missing

__getattr__ = missing(__name__)
