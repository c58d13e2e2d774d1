"""The names of ``tensorflow.python.eager.context``."""

from retrograd.faces import missing
from retrograd.graph.modes import (
    EAGER_MODE,
    GRAPH_MODE,
    Context,
    context,
    executing_eagerly,
    graph_mode,
    in_eager_mode,
    num_gpus,
)
from retrograd.graph.scopes import device
from retrograd.testing.modes import eager_mode

__getattr__ = missing(__name__)
