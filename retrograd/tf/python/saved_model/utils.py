"""The names of ``tensorflow.python.saved_model.utils``."""

from retrograd.faces import missing
from retrograd.io.saved_model.tensor_infos import (
    build_tensor_info,
    build_tensor_info_from_op,
    get_element_from_tensor_info,
    get_tensor_from_tensor_info,
)

__getattr__ = missing(__name__)
