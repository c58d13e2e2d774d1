"""The names of ``tensorflow.python.keras.utils.tf_utils``."""

from retrograd.faces import missing
from retrograd.nn.layers.added_losses import reachable_from as get_reachable_from_inputs
from retrograd.nn.layers.nodes import is_symbolic_tensor, register_symbolic_tensor_type
from retrograd.nn.layers.sizes import constant_value, smart_cond
from retrograd.nn.layers.wrapped_containers import ListWrapper

__getattr__ = missing(__name__)
