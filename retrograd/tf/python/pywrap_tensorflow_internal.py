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
    "TF_ABORTED": "retrograd.run.c_calls",
    "TF_ALREADY_EXISTS": "retrograd.run.c_calls",
    "TF_CANCELLED": "retrograd.run.c_calls",
    "TF_DATA_LOSS": "retrograd.run.c_calls",
    "TF_DEADLINE_EXCEEDED": "retrograd.run.c_calls",
    "TF_DeleteStatus": "retrograd.run.c_calls",
    "TF_FAILED_PRECONDITION": "retrograd.run.c_calls",
    "TF_GetCode": "retrograd.run.c_calls",
    "TF_INTERNAL": "retrograd.run.c_calls",
    "TF_INVALID_ARGUMENT": "retrograd.run.c_calls",
    "TF_Message": "retrograd.run.c_calls",
    "TF_NOT_FOUND": "retrograd.run.c_calls",
    "TF_NewStatus": "retrograd.run.c_calls",
    "TF_OK": "retrograd.run.c_calls",
    "TF_OUT_OF_RANGE": "retrograd.run.c_calls",
    "TF_PERMISSION_DENIED": "retrograd.run.c_calls",
    "TF_RESOURCE_EXHAUSTED": "retrograd.run.c_calls",
    "TF_Run": "retrograd.run.c_calls",
    "TF_SetStatus": "retrograd.run.c_calls",
    "TF_UNAUTHENTICATED": "retrograd.run.c_calls",
    "TF_UNAVAILABLE": "retrograd.run.c_calls",
    "TF_UNIMPLEMENTED": "retrograd.run.c_calls",
    "TF_UNKNOWN": "retrograd.run.c_calls",
}
__getattr__ = missing(__name__, _LAZY)
