"""The names of ``tensorflow.contrib.distribute.python.mirrored_strategy``."""

from retrograd.distribute.kinds import ContribMirroredStrategy as MirroredStrategy
from retrograd.faces import missing

__getattr__ = missing(__name__)
