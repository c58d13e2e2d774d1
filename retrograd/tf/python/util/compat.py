"""The names of ``tensorflow.python.util.compat``."""

from collections import abc as collections_abc

from retrograd.faces import missing
from retrograd.graph.text import (
    as_bytes,
    as_str_any,
    as_text,
    bytes_or_text_types,
    complex_types,
    integral_types,
    path_to_str,
    real_types,
)
from retrograd.graph.text import (
    as_text as as_str,
)

__getattr__ = missing(__name__)
