"""The names of ``tensorflow.core.protobuf.saver_pb2``."""

from tensorboard.compat.proto.saver_pb2 import *
from tensorboard.compat.proto.saver_pb2 import DESCRIPTOR

from retrograd.faces import missing

__getattr__ = missing(__name__)
