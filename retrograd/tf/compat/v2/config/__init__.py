"""The names of ``tensorflow.compat.v2.config``."""

from retrograd.eager.configuration import (
    experimental_run_functions_eagerly,
    get_soft_device_placement,
    set_soft_device_placement,
)
from retrograd.eager.context import list_devices as experimental_list_devices
from retrograd.faces import missing

__getattr__ = missing(__name__)
