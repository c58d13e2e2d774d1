"""The names of ``tensorflow.contrib.boosted_trees.proto.split_info_pb2``."""

from retrograd.faces import missing
from retrograd.files.gradient_tree_messages import (
    ObliviousSplitInfo,
    SplitInfo,
)

__getattr__ = missing(__name__)
