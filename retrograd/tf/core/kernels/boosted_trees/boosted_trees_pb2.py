"""The names of ``tensorflow.core.kernels.boosted_trees.boosted_trees_pb2``."""

from retrograd.faces import missing
from retrograd.files.tree_messages import (
    BucketizedSplit,
    CategoricalSplit,
    DebugOutput,
    DenseSplit,
    GrowingMetadata,
    Leaf,
    Node,
    NodeMetadata,
    SparseVector,
    Tree,
    TreeEnsemble,
    TreeMetadata,
    Vector,
)

__getattr__ = missing(__name__)
