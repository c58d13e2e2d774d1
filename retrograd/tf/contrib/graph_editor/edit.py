"""The names of ``tensorflow.contrib.graph_editor.edit``."""

from retrograd.editing.connecting import (
    bypass,
    connect,
    detach,
    detach_control_inputs,
    detach_control_outputs,
    detach_inputs,
    detach_outputs,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
