"""The names of ``tensorflow.python.util.nest``."""

from retrograd.faces import missing
from retrograd.graph.nest import (
    _IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ,
    _SHALLOW_TREE_HAS_INVALID_KEYS,
    _STRUCTURES_HAVE_MISMATCHING_LENGTHS,
    _STRUCTURES_HAVE_MISMATCHING_TYPES,
    _is_namedtuple,
    assert_same_structure,
    assert_shallow_structure,
    flatten,
    flatten_dict_items,
    flatten_up_to,
    flatten_with_joined_string_paths,
    flatten_with_tuple_paths,
    flatten_with_tuple_paths_up_to,
    get_traverse_shallow_structure,
    is_nested,
    is_sequence,
    map_structure,
    map_structure_up_to,
    map_structure_with_paths,
    map_structure_with_tuple_paths,
    map_structure_with_tuple_paths_up_to,
    pack_sequence_as,
    yield_flat_paths,
)
from retrograd.graph.nest import (
    _items as _yield_sorted_items,
)
from retrograd.graph.nest import (
    _like as _sequence_like,
)
from retrograd.graph.nest import (
    _values as _yield_value,
)

__getattr__ = missing(__name__)
