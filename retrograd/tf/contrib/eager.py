"""The names of ``tensorflow.contrib.eager``."""

from retrograd.derivatives.tape import GradientTape
from retrograd.faces import missing
from retrograd.graph.modes import (
    enable_eager_execution,
    executing_eagerly,
    num_gpus,
)
from retrograd.graph.modes import (
    executing_eagerly as in_eager_mode,
)
from retrograd.graph.specs import TensorSpec
from retrograd.io.tracking import AutoTrackable as Checkpointable
from retrograd.io.tracking import Checkpoint
from retrograd.state.custom_gradient import custom_gradient
from retrograd.state.inlining import defun, function
from retrograd.state.resource import ResourceVariable as Variable
from retrograd.testing.execution_callbacks import ExecutionCallback, errstate
from retrograd.testing.modes import (
    run_all_in_graph_and_eager_modes as run_all_tests_in_graph_and_eager_modes,
)
from retrograd.testing.modes import (
    run_in_graph_and_eager_modes as run_test_in_graph_and_eager_modes,
)

__getattr__ = missing(__name__)
