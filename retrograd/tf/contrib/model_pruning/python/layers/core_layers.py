"""The names of ``tensorflow.contrib.model_pruning.python.layers.core_layers``."""

from retrograd.contrib.masked_layers import MaskedConv2D, MaskedFullyConnected
from retrograd.contrib.pruning import (
    MASK_COLLECTION,
    MASKED_WEIGHT_COLLECTION,
    MASKED_WEIGHT_NAME,
    THRESHOLD_COLLECTION,
    WEIGHT_COLLECTION,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
