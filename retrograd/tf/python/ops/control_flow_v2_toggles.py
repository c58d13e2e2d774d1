"""The names of ``tensorflow.python.ops.control_flow_v2_toggles``."""

from retrograd.faces import missing
from retrograd.graph.modes import (
    control_flow_v2_enabled,
    disable_control_flow_v2,
    enable_control_flow_v2,
    output_all_intermediates,
)

__getattr__ = missing(__name__)
