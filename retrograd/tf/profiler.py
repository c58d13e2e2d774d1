"""The names of ``tensorflow.profiler``."""

from retrograd.faces import missing
from retrograd.files.messages import message
from retrograd.sessions.op_logs import write_op_log
from retrograd.sessions.profiling import ProfileOptionBuilder, Profiler, advise, profile

AdviceProto = message("AdviceProto")
GraphNodeProto = message("GraphNodeProto")
MultiGraphNodeProto = message("MultiGraphNodeProto")
OpLogProto = message("OpLogProto")

__getattr__ = missing(__name__)
