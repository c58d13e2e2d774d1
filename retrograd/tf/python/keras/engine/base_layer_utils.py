"""The names of ``tensorflow.python.keras.engine.base_layer_utils``."""

from retrograd.faces import missing
from retrograd.nn.layers.policies import (
    disable_v2_dtype_behavior,
    enable_v2_dtype_behavior,
    v2_dtype_behavior_enabled,
)

__getattr__ = missing(__name__)
