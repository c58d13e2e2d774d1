"""The names of ``tensorflow.python.training.sync_replicas_optimizer``."""

from retrograd.faces import missing
from retrograd.sessions.sync_replicas import SyncReplicasOptimizer

__getattr__ = missing(__name__)
