"""The names of ``tensorflow.python.eager.tape``."""

from retrograd.eager.tapes import nothing_recorded as stop_recording
from retrograd.eager.tapes import record_as as record_operation
from retrograd.faces import missing
from retrograd.graph.module_names import LazyLoader

__getattr__ = missing(__name__)
