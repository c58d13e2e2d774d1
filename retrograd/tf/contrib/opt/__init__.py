"""The names of ``tensorflow.contrib.opt``."""

from retrograd.contrib.state_optimizer_kinds import GGTOptimizer
from retrograd.contrib.worker_averages import (
    AGNCustomGetter,
    AGNOptimizer,
    DropStaleGradientOptimizer,
    ElasticAverageCustomGetter,
    ElasticAverageOptimizer,
    ModelAverageCustomGetter,
    ModelAverageOptimizer,
)
from retrograd.faces import missing
from retrograd.io.averaging import MovingAverageOptimizer
from retrograd.train.adagrad import RegAdagradOptimizer
from retrograd.train.adam_variants import (
    AdaMaxOptimizer,
    AdamGSOptimizer,
    LazyAdamGSOptimizer,
    LazyAdamOptimizer,
    NadamOptimizer,
)
from retrograd.train.external import ExternalOptimizerInterface, ScipyOptimizerInterface
from retrograd.train.layerwise import LARSOptimizer
from retrograd.train.shampoo import ShampooOptimizer
from retrograd.train.signs import AddSignOptimizer, PowerSignOptimizer
from retrograd.train.weight_decay import (
    AdamWOptimizer,
    DecoupledWeightDecayExtension,
    MomentumWOptimizer,
    extend_with_decoupled_weight_decay,
)
from retrograd.train.wrapping import (
    MultitaskOptimizerWrapper,
    VariableClippingOptimizer,
    clip_gradients_by_global_norm,
)

__getattr__ = missing(__name__)
