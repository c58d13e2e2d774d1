"""The names of ``tensorflow.python.data.util.structure``."""

from retrograd.data.structures import batched_tensors_of as to_batched_tensor_list
from retrograd.data.structures import checked_element_of as from_tensor_list
from retrograd.data.structures import compatible as are_compatible
from retrograd.data.structures import element_of as from_compatible_tensor_list
from retrograd.data.structures import flat_shapes as get_flat_tensor_shapes
from retrograd.data.structures import flat_types as get_flat_tensor_types
from retrograd.data.structures import from_legacy as convert_legacy_structure
from retrograd.data.structures import normalized as normalize_element
from retrograd.data.structures import spec_of as type_spec_from_value
from retrograd.data.structures import tensors_of as to_tensor_list
from retrograd.faces import missing

__getattr__ = missing(__name__)
