"""The names of ``tensorflow.python.pywrap_tensorflow_internal``."""

from retrograd.faces import missing
from retrograd.files.events_writer import EventsWriter
from retrograd.graph.static import try_evaluate_constant as TF_TryEvaluateConstant_wrapper
from retrograd.io.checkpoint_values import NewCheckpointReader

_LAZY = {
    "DeleteStatSummarizer": "retrograd.sessions.step_summaries",
    "EqualGraphDefWrapper": "retrograd.testing.graph_difference",
    "NewStatSummarizer": "retrograd.sessions.step_summaries",
    "StatSummarizer": "retrograd.sessions.step_summaries",
}
__getattr__ = missing(__name__, _LAZY)
