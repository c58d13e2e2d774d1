"""The names of ``tensorflow.compat.v2.nest``."""

from retrograd.faces import missing
from retrograd.graph.nest import assert_same_structure, flatten, is_nested, map_structure, pack_sequence_as

__getattr__ = missing(__name__)
