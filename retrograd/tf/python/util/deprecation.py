"""The names of ``tensorflow.python.util.deprecation``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import (
    _PRINT_DEPRECATION_WARNINGS,
    deprecated,
    deprecated_alias,
    deprecated_arg_values,
    deprecated_args,
    deprecated_argument_lookup,
    silence,
)

__getattr__ = missing(__name__)
