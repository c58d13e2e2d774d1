"""The names of ``tensorflow.contrib.model_pruning``."""

from retrograd.contrib.pruning import (
    Pruning,
    apply_mask,
    get_masked_weights,
    get_masks,
    get_pruning_hparams,
    get_thresholds,
    get_weight_sparsity,
    get_weights,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
