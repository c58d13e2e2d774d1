"""The names of ``tensorflow.python.training.tracking.util``."""

from retrograd.faces import missing
from retrograd.io.tracking import Checkpoint
from retrograd.io.tracking import Checkpoint as CheckpointV1
from retrograd.nn.layers.session import get_session

__getattr__ = missing(__name__)
