"""The names of ``tensorflow.python.training.tracking.data_structures``."""

from retrograd.contrib.checkpoint_objects import List, Mapping
from retrograd.faces import missing
from retrograd.io.tracking import NoDependency

__getattr__ = missing(__name__)
