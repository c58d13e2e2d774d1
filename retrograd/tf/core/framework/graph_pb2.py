"""The names of ``tensorflow.core.framework.graph_pb2``."""

from tensorboard.compat.proto.graph_pb2 import *
from tensorboard.compat.proto.graph_pb2 import DESCRIPTOR

from retrograd.faces import missing

__getattr__ = missing(__name__)
