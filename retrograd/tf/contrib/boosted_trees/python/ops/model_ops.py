"""The names of ``tensorflow.contrib.boosted_trees.python.ops.model_ops``."""

from retrograd.estimator.gradient_trees.resources import (
    TreeEnsembleVariable,
    TreeEnsembleVariableSavable,
    tree_ensemble_variable,
)
from retrograd.faces import missing
from retrograd.tf.contrib.boosted_trees.python.ops import gen_model_ops

tree_ensemble_deserialize = gen_model_ops.tree_ensemble_deserialize
tree_ensemble_serialize = gen_model_ops.tree_ensemble_serialize
tree_ensemble_stamp_token = gen_model_ops.tree_ensemble_stamp_token
tree_ensemble_used_handlers = gen_model_ops.tree_ensemble_used_handlers

__getattr__ = missing(__name__)
