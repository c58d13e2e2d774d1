"""The names of ``tensorflow.python.pywrap_tensorflow_internal``."""

from retrograd.faces import missing
from retrograd.files.events_writer import EventsWriter
from retrograd.graph.static import try_evaluate_constant as TF_TryEvaluateConstant_wrapper
from retrograd.io.checkpoint_values import NewCheckpointReader

_LAZY = {
    "EqualGraphDefWrapper": "retrograd.testing.graph_difference",
}
__getattr__ = missing(__name__, _LAZY)
