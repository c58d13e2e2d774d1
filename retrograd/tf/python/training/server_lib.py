"""The names of ``tensorflow.python.training.server_lib``."""

from retrograd.faces import missing
from retrograd.run.clusters import ClusterSpec, Server

__getattr__ = missing(__name__)
