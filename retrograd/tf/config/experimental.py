"""The names of ``tensorflow.config.experimental``."""

from retrograd.eager.configuration import (
    get_memory_growth,
    get_synchronous_execution,
    get_visible_devices,
    list_logical_devices,
    list_physical_devices,
    set_memory_growth,
    set_synchronous_execution,
    set_visible_devices,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
