"""The names of ``tensorflow.contrib.graph_editor.reroute``."""

from retrograd.editing.rerouting import add_control_inputs, remove_control_inputs, reroute_ts, swap_ts
from retrograd.faces import missing

__getattr__ = missing(__name__)
