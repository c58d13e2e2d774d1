"""The names of ``tensorflow.core.protobuf.trackable_object_graph_pb2``."""

from tensorboard.compat.proto.trackable_object_graph_pb2 import *
from tensorboard.compat.proto.trackable_object_graph_pb2 import DESCRIPTOR

from retrograd.faces import missing

__getattr__ = missing(__name__)
