"""The names of ``tensorflow.contrib.layers.python.layers.utils``."""

from retrograd.faces import missing
from retrograd.nn.contrib.collecting import (
    append_tensor_alias,
    collect_named_outputs,
    convert_collection_to_dict,
    gather_tensors_aliases,
    get_tensor_aliases,
)
from retrograd.nn.contrib.older_layers import (
    channel_dimension,
    constant_value,
    last_dimension,
    n_positive_integers,
    smart_cond,
    static_cond,
    two_element_tuple,
)
from retrograd.nn.contrib.variables import collections_of as get_variable_collections

__getattr__ = missing(__name__)
