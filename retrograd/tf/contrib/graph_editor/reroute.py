"""The names of ``tensorflow.contrib.graph_editor.reroute``."""

from retrograd.editing.connecting import (
    reroute_inputs,
    reroute_ios,
    reroute_outputs,
    swap_inputs,
    swap_ios,
    swap_outputs,
)
from retrograd.editing.rerouting import add_control_inputs, remove_control_inputs, reroute_ts, swap_ts
from retrograd.faces import missing

__getattr__ = missing(__name__)
