"""The names of ``tensorflow.python.training.tracking.tracking``."""

from retrograd.faces import missing
from retrograd.io.tracking import (
    AutoTrackable,
    CapturableResource,
    CapturableResourceDeleter,
    NotTrackable,
    TrackableAsset,
    TrackableResource,
    cached_per_instance,
)

__getattr__ = missing(__name__)
