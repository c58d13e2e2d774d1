"""The names of ``tensorflow.contrib.boosted_trees.proto.tree_config_pb2``."""

from retrograd.faces import missing
from retrograd.files.gradient_tree_messages import (
    CategoricalIdBinarySplit,
    CategoricalIdSetMembershipBinarySplit,
    DecisionTreeConfig,
    DecisionTreeEnsembleConfig,
    DecisionTreeMetadata,
    DenseFloatBinarySplit,
    GrowingMetadata,
    Leaf,
    ObliviousCategoricalIdBinarySplit,
    ObliviousDenseFloatBinarySplit,
    SparseFloatBinarySplitDefaultLeft,
    SparseFloatBinarySplitDefaultRight,
    SparseVector,
    TreeNode,
    TreeNodeMetadata,
    Vector,
)

__getattr__ = missing(__name__)
