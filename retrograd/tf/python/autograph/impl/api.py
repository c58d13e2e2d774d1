"""The names of ``tensorflow.python.autograph.impl.api``."""

from retrograd.autograph.converting import (
    AutoGraphError,
    ConversionError,
    StagingError,
    convert,
    do_not_convert,
    to_code,
    to_graph,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
