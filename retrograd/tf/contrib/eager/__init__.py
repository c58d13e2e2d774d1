"""The names of ``tensorflow.contrib.eager``."""

from retrograd.command_line import eager_run as run
from retrograd.contrib.eager_networks import Network, Sequential
from retrograd.contrib.eager_saving import (
    EagerSaver as Saver,
)
from retrograd.contrib.eager_saving import (
    get_optimizer_variables,
    restore_variables_on_create,
)
from retrograd.contrib.network_checkpoints import restore_network_checkpoint, save_network_checkpoint
from retrograd.data.iterators import EagerIterator as Iterator
from retrograd.derivatives.functions import (
    gradients_function,
    implicit_gradients,
    implicit_value_and_gradients,
    value_and_gradients_function,
)
from retrograd.derivatives.tape import GradientTape
from retrograd.eager.context import (
    ASYNC,
    DEVICE_PLACEMENT_EXPLICIT,
    DEVICE_PLACEMENT_SILENT,
    DEVICE_PLACEMENT_WARN,
    SYNC,
    async_clear_error,
    async_wait,
    enable_eager_execution,
    execution_mode,
    list_devices,
    num_gpus,
    set_execution_mode,
)
from retrograd.eager.python_functions import py_function as py_func
from retrograd.eager.watching import (
    ExecutionCallback,
    add_execution_callback,
    clear_execution_callbacks,
    errstate,
    inf_callback,
    inf_nan_callback,
    nan_callback,
    seterr,
)
from retrograd.faces import missing
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.modes import executing_eagerly as in_eager_mode
from retrograd.graph.specs import TensorSpec
from retrograd.io.object_checkpoints import Checkpoint
from retrograd.io.tracking import AutoTrackable as Checkpointable
from retrograd.state.custom_gradient import custom_gradient
from retrograd.state.inlining import defun, function
from retrograd.state.resource import ResourceVariable as Variable
from retrograd.state.template import make_template
from retrograd.state.variable_store import EagerVariableStore
from retrograd.testing.modes import (
    run_all_in_graph_and_eager_modes as run_all_tests_in_graph_and_eager_modes,
)
from retrograd.testing.modes import (
    run_in_graph_and_eager_modes as run_test_in_graph_and_eager_modes,
)

__getattr__ = missing(__name__)
