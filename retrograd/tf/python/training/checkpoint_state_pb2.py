"""The names of ``tensorflow.python.training.checkpoint_state_pb2``."""

from retrograd.faces import missing
from retrograd.files.messages import CheckpointState

__getattr__ = missing(__name__)
