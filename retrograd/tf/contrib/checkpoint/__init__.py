"""The names of ``tensorflow.contrib.checkpoint``."""

from tensorboard.compat.proto.trackable_object_graph_pb2 import TrackableObjectGraph as CheckpointableObjectGraph

from retrograd.contrib.checkpoint_objects import (
    NumpyState,
    UniqueNameTracker,
    dot_graph_from_checkpoint,
    list_objects,
    object_metadata,
)
from retrograd.faces import missing
from retrograd.graph.untracked import NoDependency
from retrograd.io.checkpoint_managers import CheckpointManager
from retrograd.io.object_views import split_dependency
from retrograd.io.tracking import (
    AutoTrackable as Checkpointable,
)
from retrograd.io.tracking import (
    PythonState as PythonStateWrapper,
)
from retrograd.io.tracking import (
    Trackable as CheckpointableBase,
)
from retrograd.nn.layers.containers import List, Mapping
from retrograd.state.template import capture_dependencies

__getattr__ = missing(__name__)
