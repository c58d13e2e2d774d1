"""The names of ``tensorflow.train.experimental``."""

from retrograd.faces import missing
from retrograd.io.tracking import PythonState
from retrograd.state.loss_scales import DynamicLossScale, FixedLossScale, LossScale
from retrograd.train.loss_scale import (
    MixedPrecisionLossScaleOptimizer,
    disable_mixed_precision_graph_rewrite,
    enable_mixed_precision_graph_rewrite,
)

__getattr__ = missing(__name__)
