"""The names of ``tensorflow.python.keras.models``."""

from retrograd.faces import missing
from retrograd.keras.cloning import (
    clone_and_build_model,
    clone_model,
    share_weights,
)
from retrograd.keras.cloning import (
    clone_functional as _clone_functional_model,
)
from retrograd.keras.cloning import (
    clone_sequential as _clone_sequential_model,
)
from retrograd.keras.filed_models import (
    load_model,
    model_from_config,
    model_from_json,
    model_from_yaml,
    save_model,
)
from retrograd.keras.inputs import Input, InputLayer
from retrograd.keras.models import Model
from retrograd.keras.network import Network
from retrograd.keras.resetting import (
    reset_in_place as _in_place_subclassed_model_reset,
)
from retrograd.keras.resetting import (
    restore_in_place as in_place_subclassed_model_state_restoration,
)
from retrograd.keras.sequential import Sequential
from retrograd.keras.utils import CustomObjectScope
from retrograd.nn.layers.engine import Layer

__getattr__ = missing(__name__)
