"""The names of ``tensorflow.python.profiler.profiler``."""

from retrograd.faces import missing

_LAZY = {
    "AdviceProto": "retrograd.tf.profiler",
    "GraphNodeProto": "retrograd.tf.profiler",
    "MultiGraphNodeProto": "retrograd.tf.profiler",
    "OpLogProto": "retrograd.tf.profiler",
    "ProfileOptionBuilder": "retrograd.tf.profiler",
    "Profiler": "retrograd.tf.profiler",
    "advise": "retrograd.tf.profiler",
    "profile": "retrograd.tf.profiler",
    "write_op_log": "retrograd.tf.profiler",
}
__getattr__ = missing(__name__, _LAZY)
