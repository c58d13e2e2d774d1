"""The names of ``tensorflow.profiler``."""

from retrograd.faces import missing
from retrograd.files.messages import message
from retrograd.sessions.profiling import ProfileOptionBuilder, Profiler, advise, profile

GraphNodeProto, MultiGraphNodeProto = message("GraphNodeProto"), message("MultiGraphNodeProto")

__getattr__ = missing(__name__)
