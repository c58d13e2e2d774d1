"""The names of ``tensorflow.python.training.tracking.base``."""

from retrograd.faces import missing
from retrograd.graph.untracked import (
    TrackableReference,
    no_automatic_dependency_tracking,
    no_automatic_dependency_tracking_scope,
)
from retrograd.io.tracked_objects import VARIABLE_VALUE_KEY
from retrograd.io.tracking import Trackable

__getattr__ = missing(__name__)
