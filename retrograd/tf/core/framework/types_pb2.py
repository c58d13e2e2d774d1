"""The names of ``tensorflow.core.framework.types_pb2``."""

from tensorboard.compat.proto.types_pb2 import *
from tensorboard.compat.proto.types_pb2 import DESCRIPTOR

from retrograd.faces import missing

__getattr__ = missing(__name__)
