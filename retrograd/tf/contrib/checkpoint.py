"""The names of ``tensorflow.contrib.checkpoint``."""

from retrograd.faces import missing
from retrograd.io.tracking import (
    AutoTrackable as Checkpointable,
)
from retrograd.io.tracking import (
    CheckpointManager,
    NoDependency,
)
from retrograd.io.tracking import (
    Trackable as CheckpointableBase,
)

__getattr__ = missing(__name__)
