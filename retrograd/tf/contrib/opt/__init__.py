"""The names of ``tensorflow.contrib.opt``."""

from retrograd.faces import missing
from retrograd.io.averaging import MovingAverageOptimizer
from retrograd.train.adam_variants import AdaMaxOptimizer, LazyAdamOptimizer, NadamOptimizer
from retrograd.train.external import ExternalOptimizerInterface, ScipyOptimizerInterface
from retrograd.train.weight_decay import (
    AdamWOptimizer,
    DecoupledWeightDecayExtension,
    MomentumWOptimizer,
    extend_with_decoupled_weight_decay,
)

__getattr__ = missing(__name__)
