"""The names of ``tensorflow.python.autograph``."""

from retrograd.autograph.converting import (
    AutoGraphError,
    ConversionError,
    StagingError,
    convert,
    do_not_convert,
    set_loop_options,
    to_code,
    to_graph,
)
from retrograd.autograph.options import ConversionOptions
from retrograd.faces import missing

__getattr__ = missing(__name__)
