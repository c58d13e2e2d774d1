"""The names of ``tensorflow.contrib.tensor_forest.python.tensor_forest``."""

from retrograd.contrib.forests import (
    ForestHParams,
    ForestVariables,
    RandomForestGraphs,
    RandomTreeGraphs,
    TreeVariables,
    build_params_proto,
    get_epoch_variable,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
