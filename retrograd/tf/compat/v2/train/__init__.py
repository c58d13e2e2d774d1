"""The names of ``tensorflow.compat.v2.train``."""

from retrograd.faces import missing
from retrograd.io.checkpoint_files import get_checkpoint_state, latest_checkpoint
from retrograd.io.checkpoint_managers import CheckpointManager
from retrograd.io.checkpoint_values import (
    checkpoints_iterator,
    list_variables,
    load_checkpoint,
    load_variable,
)
from retrograd.io.object_checkpoints import Checkpoint
from retrograd.run.clusters import ClusterSpec
from retrograd.train.averages import ExponentialMovingAverage
from retrograd.train.coordinator import Coordinator

_LAZY = {
    "BytesList": "retrograd.files.messages",
    "ClusterDef": "tensorboard.compat.proto.cluster_pb2",
    "Example": "retrograd.files.messages",
    "Feature": "retrograd.files.messages",
    "FeatureList": "retrograd.files.messages",
    "FeatureLists": "retrograd.files.messages",
    "Features": "retrograd.files.messages",
    "FloatList": "retrograd.files.messages",
    "Int64List": "retrograd.files.messages",
    "JobDef": "tensorboard.compat.proto.cluster_pb2",
    "SequenceExample": "retrograd.files.messages",
    "ServerDef": "retrograd.run.clusters",
}
__getattr__ = missing(__name__, _LAZY)
