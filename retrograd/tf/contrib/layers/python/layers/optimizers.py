"""The names of ``tensorflow.contrib.layers.python.layers.optimizers``."""

from retrograd.contrib.optimizing import (
    OPTIMIZER_CLS_NAMES,
    OPTIMIZER_SUMMARIES,
    adaptive_clipping_fn,
    optimize_loss,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
