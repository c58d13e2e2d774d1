"""The names of ``tensorflow.saved_model.utils``."""

from retrograd.faces import missing
from retrograd.io.saved_model.tensor_infos import build_tensor_info, get_tensor_from_tensor_info

__getattr__ = missing(__name__)
