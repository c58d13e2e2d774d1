"""The names of ``tensorflow.python.framework.config``."""

from retrograd.eager.configuration import (
    get_device_policy,
    get_inter_op_parallelism_threads,
    get_intra_op_parallelism_threads,
    get_memory_growth,
    get_soft_device_placement,
    get_synchronous_execution,
    get_virtual_device_configuration,
    get_visible_devices,
    list_logical_devices,
    list_physical_devices,
    set_device_policy,
    set_inter_op_parallelism_threads,
    set_intra_op_parallelism_threads,
    set_memory_growth,
    set_soft_device_placement,
    set_synchronous_execution,
    set_virtual_device_configuration,
    set_visible_devices,
)
from retrograd.eager.configuration import (
    get_experimental_options as get_optimizer_experimental_options,
)
from retrograd.eager.configuration import (
    get_jit as get_optimizer_jit,
)
from retrograd.eager.configuration import (
    set_experimental_options as set_optimizer_experimental_options,
)
from retrograd.eager.configuration import (
    set_jit as set_optimizer_jit,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
