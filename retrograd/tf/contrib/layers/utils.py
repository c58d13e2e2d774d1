"""The names of ``tensorflow.contrib.layers.utils``."""

from retrograd.faces import missing
from retrograd.nn.contrib.collecting import (
    append_tensor_alias,
    collect_named_outputs,
    convert_collection_to_dict,
    gather_tensors_aliases,
    get_tensor_aliases,
)

__getattr__ = missing(__name__)
