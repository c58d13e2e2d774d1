"""The names of ``tensorflow.compat.v2.train.experimental``."""

from retrograd.faces import missing
from retrograd.io.tracking import PythonState
from retrograd.state.loss_scales import DynamicLossScale, FixedLossScale, LossScale

_LAZY = {
    "disable_mixed_precision_graph_rewrite": "retrograd.tf.train.experimental",
    "enable_mixed_precision_graph_rewrite": "retrograd.tf.train.experimental",
}
__getattr__ = missing(__name__, _LAZY)
