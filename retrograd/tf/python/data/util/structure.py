"""The names of ``tensorflow.python.data.util.structure``."""

from retrograd.data.structures import compatible as are_compatible
from retrograd.data.structures import flat_shapes as get_flat_tensor_shapes
from retrograd.data.structures import flat_types as get_flat_tensor_types
from retrograd.data.structures import from_legacy as convert_legacy_structure
from retrograd.data.structures import normalized as normalize_element
from retrograd.data.structures import spec_of as type_spec_from_value
from retrograd.faces import missing

__getattr__ = missing(__name__)
