"""The names of ``tensorflow.contrib.opt.python.training.weight_decay_optimizers``."""

from retrograd.faces import missing
from retrograd.train.weight_decay import (
    AdamWOptimizer,
    DecoupledWeightDecayExtension,
    MomentumWOptimizer,
    extend_with_decoupled_weight_decay,
)

__getattr__ = missing(__name__)
