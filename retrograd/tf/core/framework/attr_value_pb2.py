"""The names of ``tensorflow.core.framework.attr_value_pb2``."""

from tensorboard.compat.proto.attr_value_pb2 import *
from tensorboard.compat.proto.attr_value_pb2 import DESCRIPTOR

from retrograd.faces import missing

__getattr__ = missing(__name__)
