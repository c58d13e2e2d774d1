"""The names of ``tensorflow.python.training.checkpoint_management``."""

from retrograd.faces import missing
from retrograd.io.checkpoint_files import (
    checkpoint_exists,
    checkpoint_exists_internal,
    generate_checkpoint_state_proto,
    get_checkpoint_mtimes,
    get_checkpoint_state,
    latest_checkpoint,
    meta_graph_filename,
    remove_checkpoint,
    update_checkpoint_state,
    update_checkpoint_state_internal,
)
from retrograd.io.checkpoint_managers import CheckpointManager

__getattr__ = missing(__name__)
