"""The names of ``tensorflow.python.data.experimental.ops.optimization_options``."""

from retrograd.data.options import (
    MapVectorizationOptions,
    OptimizationOptions,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
