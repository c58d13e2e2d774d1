"""The names of ``tensorflow.core.profiler.tfprof_log_pb2``."""

from tensorboard.compat.proto.tfprof_log_pb2 import *
from tensorboard.compat.proto.tfprof_log_pb2 import DESCRIPTOR

from retrograd.faces import missing

__getattr__ = missing(__name__)
