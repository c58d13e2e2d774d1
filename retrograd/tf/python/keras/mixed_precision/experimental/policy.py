"""The names of ``tensorflow.python.keras.mixed_precision.experimental.policy``."""

from retrograd.faces import missing
from retrograd.nn.layers.policies import (
    USE_DEFAULT,
    Policy,
    global_policy,
    policy_defaults_to_floatx,
    policy_scope,
    set_policy,
    with_input_dtype,
)

__getattr__ = missing(__name__)
