"""The names of ``tensorflow.compat.v2.train``."""

from retrograd.faces import missing
from retrograd.io.checkpoint_files import get_checkpoint_state, latest_checkpoint
from retrograd.io.checkpoint_values import (
    checkpoints_iterator,
    list_variables,
    load_checkpoint,
    load_variable,
)
from retrograd.io.tracking import CheckpointManager
from retrograd.run.clusters import ClusterSpec
from retrograd.train.averages import ExponentialMovingAverage
from retrograd.train.coordinator import Coordinator

_LAZY = {
    "ServerDef": "retrograd.run.clusters",
}
__getattr__ = missing(__name__, _LAZY)
