"""The names of ``tensorflow.contrib.model_pruning``."""

from retrograd.contrib.masked_layers import (
    MaskedBasicLSTMCell,
    MaskedLSTMCell,
    masked_conv2d,
    masked_convolution,
    masked_fully_connected,
)
from retrograd.contrib.pruned_graphs import graph_def_from_checkpoint, strip_pruning_vars_fn, train
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
