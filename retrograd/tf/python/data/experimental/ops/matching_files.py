"""The names of ``tensorflow.python.data.experimental.ops.matching_files``."""

from retrograd.data.nodes import MatchingFilesDataset
from retrograd.faces import missing

__getattr__ = missing(__name__)
