"""The names of ``tensorflow.python.keras.utils.generic_utils``."""

from retrograd.faces import missing
from retrograd.keras.layers.functions import func_dump, func_load
from retrograd.keras.utils import (
    CustomObjectScope,
    Progbar,
    custom_object_scope,
    deserialize_keras_object,
    get_custom_objects,
    has_arg,
    serialize_keras_object,
    slice_arrays,
)
from retrograd.nn.layers.names import to_snake_case

__getattr__ = missing(__name__)
