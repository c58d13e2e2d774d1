"""The names of ``tensorflow.python.eager.context``."""

from retrograd.faces import missing
from retrograd.graph.modes import (
    EAGER_MODE,
    GRAPH_MODE,
    eager_mode,
    executing_eagerly,
    graph_mode,
    in_eager_mode,
    num_gpus,
)
from retrograd.graph.scopes import device

__getattr__ = missing(__name__)
