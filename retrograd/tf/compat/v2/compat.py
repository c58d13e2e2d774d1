"""The names of ``tensorflow.compat.v2.compat``."""

from retrograd import tf as v1
from retrograd.faces import missing
from retrograd.graph.shapes import dimension_at_index, dimension_value
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
from retrograd.graph.versions import forward_compatibility_horizon, forward_compatible

__getattr__ = missing(__name__)
