"""The names of ``tensorflow.autograph``."""

from retrograd.autograph.converting import (
    set_verbosity,
    trace,
)
from retrograd.autograph.converting import (
    to_code_v1 as to_code,
)
from retrograd.autograph.converting import (
    to_graph_v1 as to_graph,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
