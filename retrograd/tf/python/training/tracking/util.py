"""The names of ``tensorflow.python.training.tracking.util``."""

from retrograd.contrib.checkpoint_objects import list_objects, object_metadata
from retrograd.faces import missing
from retrograd.io.object_checkpoints import Checkpoint
from retrograd.io.object_checkpoints import Checkpoint as CheckpointV1
from retrograd.io.object_views import add_variable, gather_initializers
from retrograd.nn.layers.session import get_session
from retrograd.state.template import capture_dependencies

__getattr__ = missing(__name__)
