"""The names of ``tensorflow.core.framework.variable_pb2``."""

from tensorboard.compat.proto.variable_pb2 import *
from tensorboard.compat.proto.variable_pb2 import DESCRIPTOR

from retrograd.faces import missing

__getattr__ = missing(__name__)
