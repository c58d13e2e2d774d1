"""The names of ``tensorflow.contrib.boosted_trees.proto.quantiles_pb2``."""

from retrograd.faces import missing
from retrograd.files.gradient_tree_messages import (
    QuantileConfig,
    QuantileEntry,
    QuantileStreamState,
    QuantileSummaryState,
)

__getattr__ = missing(__name__)
