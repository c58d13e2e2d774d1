"""The names of ``tensorflow.python.autograph.impl.api``."""

from retrograd.autograph.converting import (
    AutoGraphError,
    ConversionError,
    StagingError,
    convert,
    do_not_convert,
    to_code,
    to_code_v1,
    to_graph,
    to_graph_v1,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
