"""The names of ``tensorflow.python.eager.context``."""

from retrograd.eager.configuration import VirtualDeviceConfiguration
from retrograd.eager.context import (
    ASYNC,
    EAGER_MODE,
    GRAPH_MODE,
    SYNC,
    Context,
    async_clear_error,
    async_wait,
    context,
    eager_mode,
    ensure_initialized,
    execution_mode,
    graph_mode,
    list_devices,
    num_gpus,
    set_execution_mode,
)
from retrograd.faces import missing
from retrograd.graph.modes import executing_eagerly, in_eager_mode
from retrograd.graph.scopes import device

__getattr__ = missing(__name__)
