"""The names of ``tensorflow.core.protobuf.config_pb2``."""

from tensorboard.compat.proto.config_pb2 import *
from tensorboard.compat.proto.config_pb2 import DESCRIPTOR

from retrograd.faces import missing

__getattr__ = missing(__name__)
