"""The names of ``tensorflow.python.training.experimental.mixed_precision``."""

from retrograd.faces import missing
from retrograd.train.loss_scale import (
    disable_mixed_precision_graph_rewrite,
    enable_mixed_precision_graph_rewrite,
)
from retrograd.train.loss_scale import (
    disable_mixed_precision_graph_rewrite as disable_mixed_precision_graph_rewrite_v1,
)
from retrograd.train.loss_scale import (
    enable_mixed_precision_graph_rewrite as enable_mixed_precision_graph_rewrite_v1,
)

__getattr__ = missing(__name__)
