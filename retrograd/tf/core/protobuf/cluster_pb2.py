"""The names of ``tensorflow.core.protobuf.cluster_pb2``."""

from tensorboard.compat.proto.cluster_pb2 import *
from tensorboard.compat.proto.cluster_pb2 import DESCRIPTOR

from retrograd.faces import missing

__getattr__ = missing(__name__)
