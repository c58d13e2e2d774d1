"""The names of ``tensorflow.core.framework.api_def_pb2``."""

from tensorboard.compat.proto.api_def_pb2 import *
from tensorboard.compat.proto.api_def_pb2 import DESCRIPTOR

from retrograd.faces import missing

__getattr__ = missing(__name__)
