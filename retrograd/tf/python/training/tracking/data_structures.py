"""The names of ``tensorflow.python.training.tracking.data_structures``."""

from retrograd.faces import missing
from retrograd.graph.untracked import NoDependency
from retrograd.nn.layers.containers import (
    Container as TrackableDataStructure,
)
from retrograd.nn.layers.containers import (
    List,
    Mapping,
)
from retrograd.nn.layers.containers import (
    UntrackableError as _UntrackableError,
)
from retrograd.nn.layers.wrapped_containers import DictWrapper as _DictWrapper
from retrograd.nn.layers.wrapped_containers import ListWrapper

__getattr__ = missing(__name__)
